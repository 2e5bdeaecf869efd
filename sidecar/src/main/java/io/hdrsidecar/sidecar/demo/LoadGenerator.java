package io.hdrsidecar.sidecar.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Open load: calls start when the schedule says, not when the call before has been answered.
 *
 * <p>Each thread has its own part of one {@link StaggeredSchedule} and makes its calls one at a
 * time, so a slow call delays the later calls of its thread, and their response times say by how
 * much.
 */
final class LoadGenerator {
  private final StaggeredSchedule schedule;
  private final LoadPeriod period;
  private final List<Caller> callers = new ArrayList<>();
  private final CompletableFuture<?> ended;

  private LoadGenerator(LoadPlan plan, LoadPeriod period, CallRecorder recorder) {
    this.schedule = plan.schedule();
    this.period = period;
    Pause standstill = new Pause();
    List<MockService> services =
        plan.service().forThreads(schedule.threads(), plan.seed(), standstill);
    List<CompletableFuture<?>> threads = new ArrayList<>();
    for (int thread = 0; thread < schedule.threads(); thread++) {
      Caller caller =
          new Caller(schedule, thread, period, services.get(thread), standstill, recorder);
      callers.add(caller);
      threads.add(
          CompletableFuture.runAsync(caller, LoadGenerator::startThread)
              .whenComplete((nothing, fault) -> endAllAfter(fault)));
    }
    this.ended = CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new));
  }

  /**
   * Starts all threads; the schedule begins a moment later, so that each has its first call ahead.
   */
  static LoadGenerator start(LoadPlan plan, CallRecorder recorder) {
    long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
    return new LoadGenerator(plan, new LoadPeriod(begin, plan.duration()), recorder);
  }

  private static void startThread(Runnable caller) {
    Thread thread = new Thread(caller, "demo-caller");
    thread.setDaemon(true);
    thread.start();
  }

  private void endAllAfter(@Nullable Throwable fault) {
    if (fault != null) {
      period.stop();
    }
  }

  /** Makes no more calls; those under way end. */
  void stop() {
    period.stop();
  }

  /**
   * Waits for the last call to end.
   *
   * @return whether it has, within the time given
   * @throws IllegalStateException when a thread ended because of a fault of the demo
   */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    try {
      ended.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a thread of the load ended: " + e.getCause(), e.getCause());
    }
  }

  /** Calls made and recorded until now. */
  long callsMade() {
    return callers.stream().mapToLong(Caller::made).sum();
  }

  /** Calls whose intended start has passed, made or not. */
  long callsDue() {
    return schedule.callsBefore(period.elapsedNanos());
  }

  /** How long the oldest call that is due has been waiting to be started, or zero. */
  Duration behind() {
    return Duration.ofNanos(callers.stream().mapToLong(Caller::behindNanos).max().orElse(0));
  }
}
