package io.hdrsidecar.sidecar.plain;

import io.hdrsidecar.internal.interval.SeriesKey;
import java.util.List;

/**
 * What a counter or a gauge is called.
 *
 * @param key name and labels; that of a counter without {@code _total}
 * @param help may be empty
 * @param scale by which its values are multiplied
 */
public record PlainName(SeriesKey key, boolean isCounter, String help, double scale) {
  private static final List<String> MEANT = List.of("_total", "_created", "_bucket", "_info");

  /** Whether a name ends with what Prometheus gives a meaning of its own, so that none can be. */
  public static boolean hasMeaning(String name) {
    return MEANT.stream().anyMatch(name::endsWith);
  }
}
