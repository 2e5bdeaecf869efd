package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.wire.ClientFigure;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  private final SendConfig config;
  private final SendLoop loop;
  private volatile boolean running;
  private volatile Runnable whenEnded = () -> {};

  private IntervalSender(SendConfig config, Supplier<Map<ClientFigure, Long>> moreHealth) {
    this.config = config;
    StateLog log = new StateLog(StateLog.logger(), config.ticker());
    checkSpillFolder(config, log);
    this.loop = new SendLoop(config, moreHealth, log);
  }

  /** A service starts without the folder, too; but its operator should know. */
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
  public static IntervalSender start(
      SendConfig config, Supplier<Map<ClientFigure, Long>> moreHealth) {
    IntervalSender sender = new IntervalSender(config, moreHealth);
    sender.ensureRunning();
    return sender;
  }

  /** What to do when the thread ends; called by it. */
  public void whenEnded(Runnable action) {
    whenEnded = action;
  }

  private synchronized void ensureRunning() {
    if (!running) {
      Thread thread = new Thread(this::run, "hdr-sidecar-client");
      thread.setDaemon(true);
      thread.start();
      running = true;
    }
  }

  private void run() {
    while (!endsNow()) {
      turnOrRecover();
    }
    whenEnded.run();
  }

  /** Under the lock, so that who asks for a close finds this thread going on or another started. */
  private synchronized boolean endsNow() {
    running = !loop.hasEnded();
    return !running;
  }

  /** Nothing may end this thread but the end of the loop: with it, delivery would end silently. */
  private void turnOrRecover() {
    Thread.interrupted(); // Else a selector would return at once for ever.
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

  /** Where a series is counted for the reader after a crash; null for nowhere. */
  public @Nullable CrashSeries crashSeries(SeriesDefinition definition) {
    return hasEnded() ? null : loop.crashSeries(definition);
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

  /** Whether there was a close and the thread has ended since. */
  public boolean hasEnded() {
    return !running;
  }

  /** The JVM is ending: until then the thread samples and sends, also after a close. */
  public void stayUntilTheJvmEnds() {
    loop.closing().stayUntilTheJvmEnds();
  }

  /** Figures as of the end of the thread's last turn. */
  public SendFigures figures() {
    return loop.figures();
  }

  /**
   * Takes a sample and sends what waits. Waits for that, at most until shortly after the deadline,
   * or 10 s after it if there is a spill folder; an interrupt does not shorten the wait, and is
   * kept. The thread goes on, until the JVM ends or nothing was recorded for a minute, and a later
   * close starts it again.
   *
   * @return the figures at its end; if it is not done in time, as when the resolver keeps the
   *     thread, those of now
   */
  public Closed close(Duration deadline) {
    long nanos = nanosOf(deadline);
    long asked = loop.close(config.ticker().getAsLong() + nanos);
    ensureRunning();
    long longest = nanos + GRACE_NANOS + (config.spill() == null ? 0 : SPILL_NANOS);
    return await(asked, longest)
        ? new Closed(true, loop.closing().figures())
        : new Closed(false, loop.figures());
  }

  /**
   * How a close went.
   *
   * @param inTime whether it is done
   * @param figures the client's figures then
   */
  public record Closed(boolean inTime, SendFigures figures) {}

  private static long nanosOf(Duration deadline) {
    if (deadline.isNegative()) {
      return 0;
    }
    boolean isLong = deadline.compareTo(Duration.ofNanos(LONGEST_CLOSE_NANOS)) > 0;
    return isLong ? LONGEST_CLOSE_NANOS : deadline.toNanos();
  }

  private boolean await(long close, long nanos) {
    long until = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return loop.closing().await(close, until - System.nanoTime());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
