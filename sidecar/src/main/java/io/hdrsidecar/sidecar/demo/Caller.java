package io.hdrsidecar.sidecar.demo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread of the load: makes its calls of the schedule one after the other, each at its intended
 * start or, when that has passed already, at once.
 *
 * <p>It skips no call and moves no intended start to catch up. Calls still waiting when the period
 * ends are not made.
 */
final class Caller implements Runnable {
  private final StaggeredSchedule schedule;
  private final int thread;
  private final LoadPeriod period;
  private final MockService service;
  private final Pause standstill;
  private final CallRecorder recorder;
  private final PreciseWait wait = new PreciseWait(0);
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong made = new AtomicLong();

  Caller(
      StaggeredSchedule schedule,
      int thread,
      LoadPeriod period,
      MockService service,
      Pause standstill,
      CallRecorder recorder) {
    this.schedule = schedule;
    this.thread = thread;
    this.period = period;
    this.service = service;
    this.standstill = standstill;
    this.recorder = recorder;
  }

  @Override
  public void run() {
    for (long call = 0; ; call++) {
      long intendedStart = period.nanoTimeAfter(schedule.startNanos(thread, call));
      wait.until(intendedStart, period::isOver);
      standstill.await();
      if (period.isOver()) {
        return;
      }
      started.lazySet(call + 1);
      make(intendedStart);
      made.lazySet(call + 1);
    }
  }

  private void make(long intendedStart) {
    long start = System.nanoTime();
    service.call();
    long end = System.nanoTime();
    recorder.record(intendedStart, start, end);
  }

  /** Calls made and recorded; any thread. */
  long made() {
    return made.get();
  }

  /** How long the next call of this thread has been due without being started, or 0; any thread. */
  long behindNanos() {
    return Math.max(0, period.elapsedNanos() - schedule.startNanos(thread, started.get()));
  }
}
