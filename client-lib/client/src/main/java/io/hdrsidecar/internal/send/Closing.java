package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.wire.ClientFigure;
import java.util.concurrent.TimeUnit;

/**
 * The closes that were asked for, and how long the thread goes on after them.
 *
 * <p>A close delivers what was recorded before it, and may be asked for again: what others record
 * afterwards is theirs to count on, as a request that a web server answers while it shuts down. So
 * the thread goes on, until the JVM ends or nothing was recorded for a minute: an application that
 * is gone from a JVM that lives on, as in a server that deploys it anew, leaves no thread for ever.
 *
 * <p>Methods without a remark belong to the thread that turns.
 */
final class Closing {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long asked;
  private long begun;
  private long done;
  private long deadline;
  private boolean untilTheJvmEnds;

  private long harvested;
  private long quietSince;
  private boolean gaveUp;
  private SendFigures figures = SendFigures.NONE;

  /**
   * Any thread: asks for a close by this time of the ticker.
   *
   * @return what {@link #await} takes
   */
  synchronized long ask(long deadlineNanos) {
    if (asked == done || deadlineNanos - deadline > 0) {
      deadline = deadlineNanos;
    }
    return ++asked;
  }

  /** Any thread: from now on only the end of the JVM ends the thread. */
  synchronized void stayUntilTheJvmEnds() {
    untilTheJvmEnds = true;
  }

  /**
   * Any thread: waits until this close is done, or nanoseconds have passed.
   *
   * @return whether it is done
   */
  synchronized boolean await(long close, long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    long left = nanos;
    while (done < close && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = until - System.nanoTime();
    }
    return done >= close;
  }

  /** Any thread: the figures at the end of the last close that is done. */
  synchronized SendFigures figures() {
    return figures;
  }

  /** Any thread: whether nobody waits for a close. */
  synchronized boolean isDone() {
    return done == asked;
  }

  /** Whether a close was asked for and can begin: they come one after the other. */
  synchronized boolean isDue() {
    return asked > begun && begun == done;
  }

  /** Begins the close that is due; it is for all who have asked so far. */
  synchronized void begin() {
    begun = asked;
  }

  /** Whether a close has begun and is not done. */
  synchronized boolean isUnderWay() {
    return begun > done;
  }

  /** Whether there was a close and there is none now. */
  synchronized boolean isOver() {
    return done > 0 && asked == done;
  }

  /** By when the close under way gives up. */
  synchronized long deadline() {
    return deadline;
  }

  /** From this time of the ticker on the close under way need not wait any longer. */
  synchronized void endBy(long nanos) {
    if (deadline - nanos > 0) {
      deadline = nanos;
    }
  }

  /** Whether there is nothing new since a close gave up: the next need not wait as long again. */
  boolean isAsBefore(long harvestedValues) {
    return gaveUp && harvestedValues == harvested;
  }

  /** The close is done, with these figures. */
  void end(long now, SendFigures atTheEnd, boolean hasGivenUp) {
    harvested = atTheEnd.of(ClientFigure.HARVESTED_VALUES);
    quietSince = now;
    gaveUp = hasGivenUp;
    synchronized (this) {
      figures = atTheEnd;
      done = begun;
      notifyAll();
    }
  }

  /** Whether nothing was harvested for long since the last close. */
  boolean isQuiet(long now, long harvestedValues) {
    if (harvestedValues != harvested) {
      harvested = harvestedValues;
      quietSince = now;
      gaveUp = false;
    }
    return now - quietSince >= QUIET_NANOS && isOver() && !staysUntilTheJvmEnds();
  }

  private synchronized boolean staysUntilTheJvmEnds() {
    return untilTheJvmEnds;
  }
}
