package io.hdrsidecar.client;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One running measurement, from {@link LatencyRecorder#start()} to {@link #stop()}. It records
 * once, however often and from whichever threads it is stopped; a measurement that is never stopped
 * records nothing. Never throws, blocks or logs. Costs one small allocation.
 */
public final class Timing implements AutoCloseable {
  private final LatencyRecorder recorder;
  private final long startNanos;
  private final AtomicBoolean stopped = new AtomicBoolean();

  Timing(LatencyRecorder recorder, long startNanos) {
    this.recorder = recorder;
    this.startNanos = startNanos;
  }

  /**
   * Records the time since the start, the first time it is called.
   *
   * @return nanoseconds since the start, recorded or not
   */
  public long stop() {
    long nanos = System.nanoTime() - startNanos;
    if (stopped.compareAndSet(false, true)) {
      recorder.recordNanos(nanos);
    }
    return nanos;
  }

  /** The same as {@link #stop()}, for try-with-resources. */
  @Override
  public void close() {
    stop();
  }
}
