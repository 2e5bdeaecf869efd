package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.QueryTurn;
import io.hdrsidecar.sidecar.query.SeriesSource;
import io.hdrsidecar.sidecar.query.SeriesSource.Asking;
import io.hdrsidecar.sidecar.query.SeriesSource.Needing;
import io.hdrsidecar.sidecar.query.TurnOverException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks queries on workers, within the memory that all answers have. A query that does not get what
 * it needs gives back what it has, waits for others to give back theirs, and is asked once more;
 * after {@value #PATIENCE_SECONDS} seconds it is refused.
 *
 * <p>A query that takes longer than a quarter of a second is given up, and asked again on other
 * workers, where it may take its time: so it does not delay those that take little. Event loop of
 * the server only.
 */
final class Queries {
  /** One query, asked on a worker; its scope has a claim of its own. */
  @FunctionalInterface
  interface Query extends Asking<Answer> {}

  /** How long a query waits for memory. */
  static final long PATIENCE_SECONDS = 10;

  /**
   * The bytes that every query takes: its parameters, what it is parsed to, and a buffer to write.
   */
  private static final long LEAST_BYTES = 48 << 10;

  private static final long LOOK_MILLIS = 50;

  /** How many queries of either sort are asked at a time. */
  static final int WORKERS = 2;

  /** One part in so many of the memory for answers is not for queries that take long. */
  private static final long KEPT_PART = 4;

  private final Vertx vertx;
  private final AnswerMemory room;
  private final HeapShare longShare;
  private final SeriesSource source;
  private final QueryScope scope;
  private final HttpLimits limits;
  private final QueryLane shortLane;
  private final QueryLane longLane;

  /** Those that wait for memory. */
  private final Set<AskedQuery> waiting = new LinkedHashSet<>();

  private boolean isLooking;

  /**
   * Nothing asked yet.
   *
   * @param longWorkers for queries that take long
   * @param source where the series are that they are about
   * @param scope the store at hand; each gets a claim of its own
   */
  Queries(
      Vertx vertx,
      WorkerExecutor workers,
      WorkerExecutor longWorkers,
      AnswerMemory room,
      SeriesSource source,
      QueryScope scope,
      HttpLimits limits) {
    this.vertx = vertx;
    this.room = room;
    this.longShare = room.share().atMost(room.share().maxBytes() / KEPT_PART * (KEPT_PART - 1));
    this.source = source;
    this.scope = scope;
    this.limits = limits;
    this.shortLane = new QueryLane(WORKERS, asked -> run(asked, workers));
    this.longLane = new QueryLane(WORKERS, asked -> run(asked, longWorkers));
  }

  /** Asks on a worker, and sends the answer. */
  void ask(RoutingContext context, Needing needs, Query query) {
    ask(context, timeFromNow(), () -> {}, needs, query);
  }

  /** How long the answer to a request may take whose headers have just been read. */
  AnswerTime timeFromNow() {
    return AnswerTime.ofRequest(limits);
  }

  /**
   * Asks on a worker, and sends the answer. An asker that goes before that is forgotten at once,
   * and one that has waited for long enough is told so; so there are no more queries than open
   * connections, and those that workers have.
   *
   * @param whenOver is called once, when nothing of the query is needed any more
   */
  void ask(RoutingContext context, AnswerTime time, Runnable whenOver, Needing needs, Query query) {
    AskedQuery asked = new AskedQuery(context, needs, query, time, whenOver);
    if (context.response().closed()) {
      asked.end();
      return;
    }
    asked.timer =
        vertx.setTimer(time.leftMillis(), timer -> refuse(asked, time.over(whereabouts(asked))));
    context.response().closeHandler(gone -> end(asked));
    start(asked);
  }

  private void start(AskedQuery asked) {
    (asked.isLong ? longLane : shortLane).add(asked);
  }

  private HeapShare share(AskedQuery asked) {
    return asked.isLong ? longShare : room.share();
  }

  private Future<?> run(AskedQuery asked, WorkerExecutor on) {
    HeapClaim claim = share(asked).claim();
    asked.runs(true);
    return on.executeBlocking(() -> answer(asked, claim), false)
        .onComplete(
            done -> {
              asked.runs(false);
              if (asked.isOver()) {
                claim.close();
              } else if (done.succeeded()) {
                end(asked);
                send(asked, done.result(), claim);
              } else {
                claim.close();
                fail(asked, done.cause());
              }
            });
  }

  private Answer answer(AskedQuery asked, HeapClaim claim) throws Exception {
    asked.queuedNanos = System.nanoTime() - asked.enteredNanos;
    QueryTurn turn = asked.turn();
    turn.look();
    claim.grow(LEAST_BYTES);
    return source.ask(asked.needs, scope.with(claim, turn), asked.query);
  }

  private void send(AskedQuery asked, Answer answer, HeapClaim claim) {
    QueryRoutes.begin(asked.context, answer);
    if (asked.context.request().method().equals(HttpMethod.HEAD)) {
      claim.close();
      asked.context.response().end();
    } else {
      AnswerReader.send(asked.context.request(), answer, claim, room);
    }
  }

  /** It is to be asked no more; a worker that has it stops when it looks. */
  private void end(AskedQuery asked) {
    if (!asked.isOver()) {
      vertx.cancelTimer(asked.timer);
      shortLane.remove(asked);
      longLane.remove(asked);
      waiting.remove(asked);
      asked.end();
    }
  }

  private void refuse(AskedQuery asked, Throwable why) {
    end(asked);
    asked.context.fail(why);
  }

  private String whereabouts(AskedQuery asked) {
    if (asked.isRunning()) {
      return "expression evaluation";
    }
    return waiting.contains(asked) ? "the queue for memory" : "query queue";
  }

  private void fail(AskedQuery asked, Throwable failed) {
    asked.untilNanos += asked.queuedNanos; // For a thread, not for memory.
    if (failed instanceof TurnOverException) {
      asked.isLong = true;
      start(asked);
    } else if (!(failed instanceof HeapFullException full)) {
      refuse(asked, QueryErrors.asApiException(failed));
    } else if (full.isForGood()) {
      refuse(asked, refused(full, share(asked)));
    } else {
      if (asked.neededBytes == 0) {
        asked.untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      }
      // How much more it is going to need nobody knows: at the next attempt at least twice as much.
      asked.neededBytes = Math.min(2 * full.neededBytes(), full.shareBytes());
      room.makeRoom();
      waiting.add(asked);
      lookSoon();
    }
  }

  /** The answer to a query that there is no room for, now or ever. */
  static ApiException refused(HeapFullException full, HeapShare share) {
    if (!full.isForGood()) {
      share.countRefused();
      return busy(share);
    }
    return new ApiException(
        422,
        "execution",
        "series: what is asked takes more memory than all such questions may have together, which"
            + " is "
            + full.shareBytes()
            + " bytes of the heap; ask for fewer series, a shorter range, a longer step or fewer"
            + " buckets, or raise -Xmx");
  }

  private static ApiException busy(HeapShare share) {
    return new ApiException(
        503,
        "unavailable",
        "too many large questions at once for the heap: all "
            + share.maxBytes()
            + " bytes for such answers are taken; ask again");
  }

  private void lookSoon() {
    if (!isLooking && !waiting.isEmpty()) {
      isLooking = true;
      vertx.setTimer(LOOK_MILLIS, timer -> look());
    }
  }

  private void look() {
    isLooking = false;
    boolean started = false;
    for (AskedQuery asked : List.copyOf(waiting)) {
      if (System.nanoTime() - asked.untilNanos > 0) {
        room.share().countRefused();
        refuse(asked, busy(share(asked)));
      } else if (!started && hasRoom(asked)) {
        started = true;
        waiting.remove(asked);
        start(asked);
      }
    }
    lookSoon();
  }

  /** Those who read nothing make room for it. */
  private boolean hasRoom(AskedQuery asked) {
    while (share(asked).freeBytes() < asked.neededBytes) {
      if (!room.makeRoom()) {
        return false;
      }
    }
    return true;
  }
}
