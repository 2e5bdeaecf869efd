package io.hdrsidecar.client.micrometer;

/** Where a meter's values go, until the meter is removed. For any thread. */
interface SeriesOutput extends AutoCloseable {
  /** For a meter whose series was refused: it counts in process and reaches nobody else. */
  SeriesOutput NONE =
      new SeriesOutput() {
        @Override
        public void record(long value) {}

        @Override
        public void recordAmount(double amount) {}

        @Override
        public void close() {}
      };

  /** Counts a value, in the unit of the series; as {@code LatencyRecorder.record}. */
  void record(long value);

  /**
   * Counts an amount in the meter's own unit, rounded to the unit of the series. Infinite and too
   * large amounts become the largest long, which the recorder clamps and counts.
   */
  void recordAmount(double amount);

  /** Gives the series up; what was recorded so far is still delivered. */
  @Override
  void close();
}
