package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.plain.RefusedPlainException;
import java.util.Locale;

/**
 * Why a data point was not kept. The name in lower case is the value of the {@code reason} label.
 */
enum NotKeptPoint {
  /** Where none are kept. */
  SUM(true),
  GAUGE(true),
  /** The sidecar keeps none. */
  SUMMARY(true),
  /** The sender says itself that there is no value. */
  NO_RECORDED_VALUE(false),
  /** Older than the last of its stream; what it says is in that one, or was counted before. */
  OUT_OF_ORDER(false),
  /** The first of a sum that began before the sidecar; what its next ones add is counted. */
  UNKNOWN_START(false),
  /** There are as many counters and gauges as may be. */
  PLAIN_LIMIT(true),
  /** A series, a metric of another type or source, or one of ours has the name. */
  PLAIN_CONFLICT(true),
  /** Neither delta nor cumulative. */
  BAD_TEMPORALITY(true),
  /** Counts, bounds, scale, times or a value that contradict each other, or are out of range. */
  BAD_POINT(true),
  /** There can be no series of that name, or in that unit. */
  BAD_NAME(true),
  BAD_ATTRIBUTES(true),
  /** The share of the heap for OTLP is full of what is remembered. */
  NO_MEMORY(true),
  /** The store has refused it; its reason is counted with the values. */
  REFUSED(true);

  private final boolean rejected;

  NotKeptPoint(boolean rejected) {
    this.rejected = rejected;
  }

  /** Of a counter or a gauge that is refused. */
  static NotKeptPoint of(RefusedPlainException.Reason reason) {
    return switch (reason) {
      case LIMIT -> PLAIN_LIMIT;
      case CONFLICT -> PLAIN_CONFLICT;
      case NO_MEMORY -> NO_MEMORY;
    };
  }

  /** Value of the {@code reason} label. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the sender is told. */
  boolean isRejected() {
    return rejected;
  }
}
