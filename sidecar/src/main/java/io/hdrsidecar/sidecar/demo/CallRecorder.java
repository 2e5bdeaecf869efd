package io.hdrsidecar.sidecar.demo;

/**
 * Takes the times of each call; any thread. In a run this is {@link
 * io.hdrsidecar.client.schedule.ScheduledRecorder#record}.
 */
@FunctionalInterface
interface CallRecorder {
  /**
   * Records a call; all times are on the scale of {@link System#nanoTime()}.
   *
   * @param intendedStartNanos when the schedule meant it to start
   * @param actualStartNanos when it did
   * @param endNanos when it ended
   */
  void record(long intendedStartNanos, long actualStartNanos, long endNanos);
}
