package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.query.QueryTurn;
import io.hdrsidecar.sidecar.query.SeriesSource.Needing;
import io.vertx.ext.web.RoutingContext;

/** A query on its way to its answer. Event loop of the server, unless a method says else. */
final class AskedQuery {
  /** The time that a query loses at most when it is asked again. */
  private static final long TURN_MILLIS = 250;

  final RoutingContext context;
  final Needing needs;
  final Queries.Query query;
  final AnswerTime time;
  private final Runnable whenOver;

  /** Ends it when nobody waits for its answer any more. */
  long timer;

  /** By when it must have got the memory that it waits for. */
  long untilNanos;

  long enteredNanos;

  /** How long it waited for a worker, the last time. */
  volatile long queuedNanos;

  long neededBytes;
  boolean isLong;
  private boolean isRunning;
  private volatile boolean isOver;

  /**
   * Not asked yet.
   *
   * @param whenOver gives back what it holds besides
   */
  AskedQuery(
      RoutingContext context,
      Needing needs,
      Queries.Query query,
      AnswerTime time,
      Runnable whenOver) {
    this.context = context;
    this.needs = needs;
    this.query = query;
    this.time = time;
    this.whenOver = whenOver;
  }

  /** How long it may keep its worker. On that. */
  QueryTurn turn() {
    return isLong ? QueryTurn.endless(this::isOver) : QueryTurn.of(TURN_MILLIS, this::isOver);
  }

  /** Whether it has been answered, or nobody waits for that. Any thread. */
  boolean isOver() {
    return isOver;
  }

  boolean isRunning() {
    return isRunning;
  }

  /** A worker has it, or has it no more. */
  void runs(boolean now) {
    isRunning = now;
    release();
  }

  /** Nobody waits for an answer any more. */
  void end() {
    isOver = true;
    release();
  }

  private void release() {
    if (isOver && !isRunning) {
      whenOver.run();
    }
  }
}
