package io.hdrsidecar.client.send;

import io.hdrsidecar.client.record.IntervalSource;
import io.hdrsidecar.interval.SeriesDefinition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Samples recorders and delivers their intervals, on one daemon thread named {@code
 * hdr-sidecar-client}. All methods are for any thread; only {@link #close} waits.
 */
public final class IntervalSender {
  private static final long PAUSE_AFTER_FAILURE_NANOS = 100_000_000;

  /** How long the end may come after the deadline, as on a busy machine. */
  private static final long GRACE_NANOS = 250_000_000;

  /** How long writing to the spill folder may take beyond that; then close returns without it. */
  private static final long SPILL_NANOS = 10_000_000_000L;

  private static final long LONGEST_CLOSE_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final long OPEN = Long.MIN_VALUE;

  private final SendConfig config;
  private final SendLoop loop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicLong closeDeadline = new AtomicLong(OPEN);

  private IntervalSender(SendConfig config, Supplier<Map<String, Long>> moreHealth) {
    this.config = config;
    StateLog log = new StateLog(System.getLogger("io.hdrsidecar.client"));
    checkSpillFolder(config, log);
    this.loop = new SendLoop(config, moreHealth, log);
  }

  /** A service starts without the folder, too; but whoever runs it should know. */
  private static void checkSpillFolder(SendConfig config, StateLog log) {
    SpillConfig spill = config.spill();
    if (spill != null) {
      try {
        spill.folder().prepare();
      } catch (IOException | RuntimeException e) {
        log.always(
            Level.WARNING,
            "the spill folder cannot be used; unless that changes, what is not delivered at the end"
                + " is lost: "
                + e);
      }
    }
  }

  /**
   * Starts the thread.
   *
   * @param moreHealth figures of the caller to travel in HEALTH, by name; called by the thread
   */
  public static IntervalSender start(SendConfig config, Supplier<Map<String, Long>> moreHealth) {
    IntervalSender sender = new IntervalSender(config, moreHealth);
    Thread thread = new Thread(sender::run, "hdr-sidecar-client");
    thread.setDaemon(true);
    thread.start();
    return sender;
  }

  private void run() {
    try {
      while (!loop.hasEnded()) {
        turnOrRecover();
      }
    } finally {
      ended.countDown();
    }
  }

  /** Nothing may end this thread but the end of the loop: with it, delivery would end silently. */
  private void turnOrRecover() {
    Thread.interrupted(); // Whoever interrupted us, a selector would return at once for ever.
    try {
      loop.turn(true);
    } catch (Throwable failure) {
      recover(failure);
    }
  }

  private void recover(Throwable failure) {
    try {
      loop.onFailure(failure);
    } catch (Throwable again) {
      failure.addSuppressed(again);
    }
    if (!loop.hasEnded()) {
      LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
    }
  }

  /**
   * From the next sample on, this source is sampled and sent as this series. After the end it has
   * no effect.
   */
  public void add(SeriesDefinition definition, IntervalSource source) {
    if (!hasEnded()) {
      loop.add(definition, source);
    }
  }

  /** What this source holds is still sent, then it is forgotten. */
  public void remove(IntervalSource source) {
    if (!hasEnded()) {
      loop.remove(source);
    }
  }

  /** Whether the last sample is taken and the thread is done. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Figures as of the end of the thread's last turn. */
  public SendFigures figures() {
    return loop.figures();
  }

  /**
   * Takes a last sample, sends what waits, and ends the thread. Waits for that, at most until
   * shortly after the deadline, or 10 s after it if there is a spill folder; an interrupt does not
   * shorten the wait, and is kept. The first call's deadline holds for all.
   *
   * @return the last figures; if the thread has not ended in time, as when the resolver keeps it,
   *     they may miss the last sample
   */
  public SendFigures close(Duration deadline) {
    long now = config.ticker().getAsLong();
    long deadlineNanos = now + nanosOf(deadline);
    if (closeDeadline.compareAndSet(OPEN, deadlineNanos)) {
      loop.close(deadlineNanos);
    }
    long spillNanos = config.spill() == null ? 0 : SPILL_NANOS;
    awaitEnd(closeDeadline.get() - now + GRACE_NANOS + spillNanos);
    return loop.figures();
  }

  private static long nanosOf(Duration deadline) {
    if (deadline.isNegative()) {
      return 0;
    }
    boolean isLong = deadline.compareTo(Duration.ofNanos(LONGEST_CLOSE_NANOS)) > 0;
    return isLong ? LONGEST_CLOSE_NANOS : deadline.toNanos();
  }

  private void awaitEnd(long nanos) {
    long until = System.nanoTime() + nanos;
    boolean interrupted = false;
    boolean waiting = true;
    while (waiting) {
      try {
        boolean hasEnded = ended.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        waiting = !hasEnded && until - System.nanoTime() > 0;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
