package io.hdrsidecar.internal.record;

/** Fills counters faster than a value at a time would, for tests of other packages. */
public final class SharedCounts {
  private SharedCounts() {}

  /** Counts a value so often. */
  public static void record(SeriesRecorder recorder, long value, int times) {
    recorder.add(value, times);
  }
}
