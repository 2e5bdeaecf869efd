package io.hdrsidecar.fleet.node;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Watches that what a thread writes in a commit leaves time for the commit. Brokers abort a
 * transaction that is open for longer than they wait; Kafka Streams then does its work again, which
 * takes as long again. Where that goes on, it comes to an end here: a node that ends and says why
 * is better than one that is ready and stands still.
 *
 * <p>Only work is measured, not waiting for brokers: while they are away, nothing is wrong with the
 * node. One thread.
 */
final class CommitTime {
  private static final Logger LOG = System.getLogger(CommitTime.class.getName());

  /** One may come of a machine that was suspended, or of a disk that hung. */
  private static final int IN_SUCCESSION = 3;

  private final LongSupplier nanoTime;
  private final Duration limit;
  private long workNanos;
  private int tooLong;

  /**
   * Of one thread.
   *
   * @param nanoTime monotonic
   * @param limit how long a commit may work
   */
  CommitTime(LongSupplier nanoTime, Duration limit) {
    this.nanoTime = nanoTime;
    this.limit = limit;
  }

  /**
   * Does a part of the work of a commit.
   *
   * @throws IllegalStateException instead, when several commits in succession had too much of it,
   *     and failed
   */
  void works(Runnable part) {
    if (tooLong >= IN_SUCCESSION) {
      throw new IllegalStateException(
          "a commit must be written within "
              + limit.toSeconds()
              + " s, and the last "
              + tooLong
              + " took longer, so brokers aborted them; give the node more processor time or a"
              + " faster disk, add nodes, raise node.threads, or lower node.pending-memory");
    }
    long begun = nanoTime.getAsLong();
    part.run();
    workNanos += nanoTime.getAsLong() - begun;
  }

  /** All of it is committed. */
  void committed() {
    workNanos = 0;
    tooLong = 0;
  }

  /** It came to another end, whatever the reason. */
  void failed() {
    Duration worked = Duration.ofNanos(workNanos);
    workNanos = 0;
    if (worked.compareTo(limit) > 0) {
      tooLong++;
      LOG.log(
          Level.WARNING,
          "event=commit_too_long seconds={0} limit={1} in_succession={2}",
          String.valueOf(worked.toSeconds()),
          String.valueOf(limit.toSeconds()),
          tooLong);
    }
  }
}
