package io.hdrsidecar.client.hiccup;

/**
 * Takes hiccup times, on the meter's thread. To get jHiccup's distribution, record with the
 * expected interval: {@code recorder::record} of a {@code LatencyRecorder}, or {@code
 * recordValueWithExpectedInterval} of HdrHistogram.
 */
@FunctionalInterface
public interface HiccupSink {
  /**
   * One measurement. Must return soon, as its time counts as a hiccup, and must not throw, which
   * would end the meter.
   *
   * @param hiccupNanos how much longer than the shortest one this interval was; 0 or more
   * @param expectedIntervalNanos the resolution
   */
  void hiccup(long hiccupNanos, long expectedIntervalNanos);
}
