package io.hdrsidecar.sidecar.config;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What OpenTelemetry's environment variables say of the resource that series belong to.
 *
 * <p>Source: the specification's pages "Resource SDK" ({@code OTEL_RESOURCE_ATTRIBUTES}: key=value
 * separated by commas, values percent-encoded, all of it discarded if anything is wrong) and
 * "Environment Variable Specification" ({@code OTEL_SERVICE_NAME}, which wins).
 */
final class OtelResource {
  static final String ATTRIBUTES = "OTEL_RESOURCE_ATTRIBUTES";
  static final String NAME = "OTEL_SERVICE_NAME";

  private static final String SERVICE = "service.name";
  private static final String INSTANCE = "service.instance.id";

  private OtelResource() {}

  /**
   * The attributes. Of two sidecars of one service each has a {@code service.instance.id} of its
   * own, that is, unless the variables say it, host and port, as Prometheus calls an instance.
   *
   * @param httpPort at which this sidecar answers; 0 for one that is not known yet
   * @param warnings gets a line if they cannot be read
   */
  static Map<String, String> of(
      Map<String, String> environment, int httpPort, List<String> warnings) {
    Map<String, String> attributes = new TreeMap<>();
    try {
      parse(environment.getOrDefault(ATTRIBUTES, ""), attributes);
    } catch (IllegalArgumentException e) {
      attributes.clear();
      warnings.add(ATTRIBUTES + ": none of it is used: " + e.getMessage());
    }
    String name = environment.getOrDefault(NAME, "").strip();
    if (!name.isEmpty()) {
      attributes.put(SERVICE, name);
    }
    attributes.putIfAbsent(SERVICE, "hdr-sidecar");
    attributes.computeIfAbsent(INSTANCE, key -> instance(environment, httpPort));
    return attributes;
  }

  private static void parse(String text, Map<String, String> into) {
    for (String pair : text.split(",", -1)) {
      if (!pair.isBlank()) {
        int equals = pair.indexOf('=');
        String key = pair.substring(0, Math.max(0, equals)).strip();
        if (key.isEmpty()) {
          throw new IllegalArgumentException("not key=value: " + pair.strip());
        }
        into.put(key, decoded(pair.substring(equals + 1).strip()));
      }
    }
  }

  /** Percent-encoding alone: a plus is a plus. */
  private static String decoded(String value) {
    return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String instance(Map<String, String> environment, int httpPort) {
    String host = environment.getOrDefault("HOSTNAME", "").strip();
    if (httpPort == 0) {
      return UUID.randomUUID().toString();
    }
    try {
      return (host.isEmpty() ? InetAddress.getLocalHost().getHostName() : host) + ":" + httpPort;
    } catch (UnknownHostException e) {
      return UUID.randomUUID().toString();
    }
  }
}
