package io.hdrsidecar.sidecar.otlp;

import java.util.Locale;

/**
 * Why a data point was not kept. The name in lower case is the value of the {@code reason} label.
 */
enum NotKeptPoint {
  /** The sidecar keeps distributions, and no other kinds. */
  SUM(true),
  GAUGE(true),
  SUMMARY(true),
  /** The sender says itself that there is no value. */
  NO_RECORDED_VALUE(false),
  /** Older than the last of its stream; what it says is in that one, or was counted before. */
  OUT_OF_ORDER(false),
  /** Neither delta nor cumulative. */
  BAD_TEMPORALITY(true),
  /** Counts, bounds, scale or times that contradict each other, or are out of range. */
  BAD_POINT(true),
  /** There can be no series of that name, or in that unit. */
  BAD_NAME(true),
  BAD_ATTRIBUTES(true),
  /** The share of the heap for OTLP is full of streams. */
  NO_MEMORY(true),
  /** The store has refused it; its reason is counted with the values. */
  REFUSED(true);

  private final boolean rejected;

  NotKeptPoint(boolean rejected) {
    this.rejected = rejected;
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
