package io.hdrsidecar.sidecar.inject;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod wants otherwise than {@link Component} has it; null for what it does not mind.
 *
 * @param image of the sidecar's container
 * @param slaConfigMap name of the ConfigMap with SLA rules
 * @param journal where the journal is kept
 * @param crashSafe the volume in memory in which recorded values outlive the application's process
 * @param containers names of those that record, or {@link #ALL}; when null the one that {@code
 *     kubectl} takes, too
 * @param drain how long the sidecar may take to end
 * @param keepsPodFields whether fields of the whole pod stay as they are
 */
record Overrides(
    @Nullable String image,
    @Nullable Quantity memoryLimit,
    @Nullable Quantity cpuLimit,
    @Nullable String slaConfigMap,
    @Nullable JournalPlace journal,
    @Nullable CrashVolume crashSafe,
    @Nullable List<String> containers,
    @Nullable Duration drain,
    boolean keepsPodFields) {
  /** All containers. */
  static final List<String> ALL = List.of("*");

  /** Nothing is wanted otherwise. */
  static final Overrides NONE =
      new Overrides(null, null, null, null, null, null, null, null, false);

  /**
   * A volume in memory.
   *
   * @param sizeLimit null for the usual one
   */
  record CrashVolume(@Nullable Quantity sizeLimit) {}

  /** Where a journal is kept. */
  sealed interface JournalPlace {}

  /** In a folder that ends with the pod. */
  record EmptyDir() implements JournalPlace {}

  /** On a volume that is claimed. */
  record Claim(String name) implements JournalPlace {}

  /** On a volume that the pod has: of a StatefulSet's claim template. */
  record PodVolume(String name) implements JournalPlace {}
}
