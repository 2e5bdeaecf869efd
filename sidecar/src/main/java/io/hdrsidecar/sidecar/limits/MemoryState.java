package io.hdrsidecar.sidecar.limits;

import java.util.Locale;

/**
 * How the store keeps to {@link MergeConfig#maxMemoryBytes}.
 *
 * @param limitBytes most bytes, {@link Long#MAX_VALUE} for no limit
 * @param heldBytes what the limit is for: bytes held, windows included, or bytes reserved, whatever
 *     is more
 * @param reservedBytes bytes of counts, names and labels, as if counters had 32 bits at least
 * @param windowBytes bytes that windows hold
 * @param seriesWithoutWindows series whose windows are given up
 * @param pressure what is being given up
 */
public record MemoryState(
    long limitBytes,
    long heldBytes,
    long reservedBytes,
    long windowBytes,
    long seriesWithoutWindows,
    Pressure pressure) {

  /** The stage that is given up as memory is short, and with it all that stands before it here. */
  public enum Pressure {
    /** Nothing. */
    NONE,
    /** Time resolution: some series have no windows. */
    WINDOWS,
    /**
     * Labels: no series has windows. New label sets, and series that need more memory, share the
     * overflow series of their name.
     */
    LABELS,
    /** Counts: intervals that need more memory are refused and counted as lost. */
    COUNTS;

    /** As metrics and people name it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What is given up, one sentence; empty for nothing. */
  public String trouble() {
    String full = "memory for series is short (series.max-memory " + limitBytes + " bytes): ";
    return switch (pressure) {
      case NONE -> "";
      case WINDOWS -> full + seriesWithoutWindows + " series have no windows";
      case LABELS ->
          full
              + "no windows; new label sets, and series that need more, are counted in overflow"
              + " series";
      case COUNTS ->
          full + "intervals that need more are refused and their values lost (memory_limit)";
    };
  }
}
