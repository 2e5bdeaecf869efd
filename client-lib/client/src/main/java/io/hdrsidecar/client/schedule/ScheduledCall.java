package io.hdrsidecar.client.schedule;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running call with a known intended start, from {@link ScheduledRecorder#begin} to {@link
 * #end()}. It records once, however often and from whichever threads it is ended; a call that is
 * never ended records nothing. Never throws, blocks or logs.
 */
public final class ScheduledCall implements AutoCloseable {
  private final ScheduledRecorder recorder;
  private final long intendedStartNanos;
  private final long actualStartNanos;
  private final AtomicBoolean ended = new AtomicBoolean();

  ScheduledCall(ScheduledRecorder recorder, long intendedStartNanos, long actualStartNanos) {
    this.recorder = recorder;
    this.intendedStartNanos = intendedStartNanos;
    this.actualStartNanos = actualStartNanos;
  }

  /** Ends the call now and records its three times. */
  public void end() {
    long endNanos = System.nanoTime();
    if (ended.compareAndSet(false, true)) {
      recorder.record(intendedStartNanos, actualStartNanos, endNanos);
    }
  }

  /** The same as {@link #end()}, for try-with-resources. */
  @Override
  public void close() {
    end();
  }
}
