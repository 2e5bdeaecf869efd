package io.hdrsidecar.sidecar.metric;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * A metric of the sidecar's own.
 *
 * @param name without {@code hdr_sidecar_}, its words separated by dots, its unit at the end;
 *     Prometheus adds {@code _total} to counters
 * @param help a sentence without its full stop
 * @param isCounter whether it only grows, from 0 at the start
 * @param value read at each scrape, by any thread
 * @param labels names and values, one after the other
 */
public record Metric(
    String name, String help, boolean isCounter, DoubleSupplier value, List<String> labels) {
  private static final double NANOS = 1e9;

  /** One that only grows, from 0 at the start. */
  public static Metric counter(String name, String help, LongSupplier value, String... labels) {
    return new Metric(name, help, true, () -> (double) value.getAsLong(), List.of(labels));
  }

  /** One that rises and falls. */
  public static Metric gauge(String name, String help, LongSupplier value, String... labels) {
    return new Metric(name, help, false, () -> (double) value.getAsLong(), List.of(labels));
  }

  /** A time that rises and falls, read in nanoseconds and shown in seconds. */
  public static Metric seconds(String name, String help, LongSupplier nanos, String... labels) {
    return new Metric(name, help, false, () -> nanos.getAsLong() / NANOS, List.of(labels));
  }
}
