package io.hdrsidecar.sidecar.inject;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The annotations of a pod that mean something here; no other may begin as they do. */
enum PodAnnotation {
  INJECT("inject"),
  IMAGE("image"),
  MEMORY_LIMIT("memory-limit"),
  CPU_LIMIT("cpu-limit"),
  SLA_CONFIG_MAP("sla-config-map"),
  JOURNAL("journal"),
  CRASH_SAFE("crash-safe"),
  CONTAINERS("containers"),
  DRAIN("drain"),
  POD_FIELDS("pod-fields");

  /** How all of them begin. */
  static final String PREFIX = "hdrsidecar.io/";

  private final String suffix;

  PodAnnotation(String suffix) {
    this.suffix = suffix;
  }

  /** As it stands in a pod: {@code hdrsidecar.io/inject}. */
  String key() {
    return PREFIX + suffix;
  }

  /** The field of a pod, for messages. */
  String field() {
    return field(key());
  }

  static String field(String key) {
    return "metadata.annotations[" + LogSafeText.text(key) + "]";
  }

  static Optional<PodAnnotation> of(String key) {
    return Arrays.stream(values()).filter(annotation -> annotation.key().equals(key)).findFirst();
  }

  /** All of them, for messages. */
  static String known() {
    return Arrays.stream(values()).map(known -> known.suffix).collect(Collectors.joining(", "));
  }
}
