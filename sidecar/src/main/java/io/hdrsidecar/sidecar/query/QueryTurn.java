package io.hdrsidecar.sidecar.query;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * How long a query may keep the thread that it is asked on. What may take long looks at it now and
 * then, at least every few hundred intervals. Any thread.
 */
public final class QueryTurn {
  private final BooleanSupplier isGone;
  private final long millis;
  private final long startNanos = System.nanoTime();
  private final AtomicLong waitedNanos = new AtomicLong();

  private QueryTurn(BooleanSupplier isGone, long millis) {
    this.isGone = isGone;
    this.millis = millis;
  }

  /**
   * As long as it takes.
   *
   * @param isGone whether nobody waits for the answer any more
   */
  public static QueryTurn endless(BooleanSupplier isGone) {
    return new QueryTurn(isGone, Long.MAX_VALUE);
  }

  /**
   * So long from now on.
   *
   * @param isGone whether nobody waits for the answer any more
   */
  public static QueryTurn of(long millis, BooleanSupplier isGone) {
    return new QueryTurn(isGone, millis);
  }

  /** So long it waited for others and computed nothing, which is not of its turn. */
  public void waited(long nanos) {
    waitedNanos.addAndGet(nanos);
  }

  /**
   * Ends a query that nobody waits for, or that had its turn.
   *
   * @throws QueryException when nobody waits for the answer
   * @throws TurnOverException when it is to be asked again elsewhere
   */
  public void look() throws QueryException {
    if (isGone.getAsBoolean()) {
      throw QueryException.timedOut("query was canceled in expression evaluation");
    }
    long taken = System.nanoTime() - startNanos - waitedNanos.get();
    if (TimeUnit.NANOSECONDS.toMillis(taken) > millis) {
      throw new TurnOverException();
    }
  }
}
