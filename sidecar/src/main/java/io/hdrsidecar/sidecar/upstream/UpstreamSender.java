package io.hdrsidecar.sidecar.upstream;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands on what a sidecar has merged to the next one, under an instance and numbers of its own, on
 * one daemon thread named {@code hdr-sidecar-upstream}. All methods are for any thread; only {@link
 * #close} waits.
 */
final class UpstreamSender {
  private static final long PAUSE_AFTER_FAILURE_NANOS = 100_000_000;
  private static final long GRACE_MILLIS = 1_000;

  private final UpstreamSenderConfig config;
  private final UpstreamLoop loop;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile @Nullable UpstreamEnd end;
  private boolean started;

  /**
   * A sender that does not run yet.
   *
   * @param before what the last process left in the ledger
   * @param harvest asks for a batch: called by the thread, which then waits for one {@link #offer}
   */
  public UpstreamSender(
      UpstreamSenderConfig config,
      UpstreamLedger ledger,
      UpstreamLedger.State before,
      Runnable harvest) {
    this.config = config;
    this.loop = new UpstreamLoop(config, ledger, before, harvest);
  }

  /**
   * Starts the thread; once.
   *
   * @param onDeath told when an error has ended it
   */
  public synchronized void start(Thread.UncaughtExceptionHandler onDeath) {
    started = true;
    Thread thread = new Thread(this::run, "hdr-sidecar-upstream");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(onDeath);
    thread.start();
  }

  private void run() {
    try {
      while (!loop.hasEnded()) {
        turnOrRecover();
      }
    } finally {
      done.countDown();
    }
  }

  private void turnOrRecover() {
    Thread.interrupted(); // Else a selector would return at once for ever.
    try {
      loop.turn(end);
    } catch (Exception failure) {
      loop.onFailure(failure);
      LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
    }
  }

  /** The batch that was asked for. */
  public void offer(UpstreamBatch batch) {
    loop.offer(batch);
  }

  /** Asks for a batch soon, as memory gets short. */
  public void hurry() {
    loop.hurry();
  }

  /** Figures as of the end of the thread's last turn. */
  public UpstreamFigures figures() {
    return loop.figures();
  }

  /**
   * Asks for a last batch, hands on what there is, and ends; gives up after this time. Idempotent.
   *
   * @return the figures at the end
   */
  public UpstreamFigures close(Duration patience) {
    synchronized (this) {
      if (end == null) {
        end = new UpstreamEnd(config.send().ticker().getAsLong() + patience.toNanos());
      }
      loop.wake();
      if (!started) {
        return loop.figures();
      }
    }
    boolean interrupted = false;
    long until = System.nanoTime() + patience.toNanos() + GRACE_MILLIS * 1_000_000;
    while (true) {
      try {
        if (!done.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          loop.wake();
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return loop.figures();
  }
}
