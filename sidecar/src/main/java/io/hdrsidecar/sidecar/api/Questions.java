package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Turn;
import io.hdrsidecar.sidecar.query.TurnOverException;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks questions on workers, within the memory that all answers have. A question that does not get
 * what it needs gives back what it has, waits for others to give back theirs, and is asked once
 * more; after {@value #PATIENCE_SECONDS} seconds it is refused.
 *
 * <p>A question that takes longer than {@value #TURN_MILLIS} ms is given up, and asked again on
 * other workers, where it may take its time: so it does not delay those that take little. Event
 * loop of the server only.
 */
final class Questions {
  /** One question, asked on a worker. */
  @FunctionalInterface
  interface Question {
    /**
     * Answers it.
     *
     * @param scope with a claim of its own
     */
    Answer ask(QueryScope scope) throws Exception;
  }

  /** How long a question waits for memory. */
  static final long PATIENCE_SECONDS = 10;

  /** What every question takes: its parameters, what it is parsed to, and a buffer to write. */
  private static final long LEAST_BYTES = 48 << 10;

  private static final long LOOK_MILLIS = 50;

  /** What a question loses at most that is asked again. */
  private static final long TURN_MILLIS = 250;

  private static final class Asked {
    private final RoutingContext context;
    private final Question question;
    private long untilNanos;
    private long startedNanos;
    private long queuedNanos;
    private long neededBytes;
    private boolean isLong;

    Asked(RoutingContext context, Question question) {
      this.context = context;
      this.question = question;
    }

    Turn turn() {
      return isLong ? Turn.endless(this::isGone) : Turn.of(TURN_MILLIS, this::isGone);
    }

    boolean isGone() {
      return context.response().closed();
    }
  }

  private final Vertx vertx;
  private final WorkerExecutor workers;
  private final WorkerExecutor longWorkers;
  private final AnswerRoom room;
  private final QueryScope scope;
  private final int maxQuestions;
  private final Deque<Asked> waiting = new ArrayDeque<>();
  private int questions;

  /**
   * Nothing asked yet.
   *
   * @param longWorkers for questions that take long
   * @param scope what they are about; each gets a claim of its own
   * @param maxQuestions most that wait or are being answered
   */
  Questions(
      Vertx vertx,
      WorkerExecutor workers,
      WorkerExecutor longWorkers,
      AnswerRoom room,
      QueryScope scope,
      int maxQuestions) {
    this.longWorkers = longWorkers;
    this.vertx = vertx;
    this.workers = workers;
    this.room = room;
    this.scope = scope;
    this.maxQuestions = maxQuestions;
  }

  /**
   * Asks on a worker, unless whoever asked has gone by then, and sends the answer. An open
   * connection has one question at a time, so the bound is reached by those alone who ask, go, and
   * ask again.
   */
  void ask(RoutingContext context, Question question) {
    if (questions >= maxQuestions) {
      context.fail(
          new ApiException(
              503,
              "unavailable",
              "too many questions at once: "
                  + maxQuestions
                  + " are waiting or being answered (http.max-connections); ask again"));
      return;
    }
    questions++;
    start(new Asked(context, question));
  }

  private void start(Asked asked) {
    HeapClaim claim = room.share().claim();
    asked.startedNanos = System.nanoTime();
    (asked.isLong ? longWorkers : workers)
        .executeBlocking(() -> answer(asked, claim), false)
        .onSuccess(
            answer -> {
              questions--;
              send(asked, answer, claim);
            })
        .onFailure(
            failed -> {
              claim.close();
              fail(asked, failed);
            });
  }

  private Optional<Answer> answer(Asked asked, HeapClaim claim) throws Exception {
    asked.queuedNanos = System.nanoTime() - asked.startedNanos;
    if (asked.isGone()) {
      return Optional.empty();
    }
    claim.grow(LEAST_BYTES);
    return Optional.of(asked.question.ask(scope.with(claim, asked.turn())));
  }

  private void send(Asked asked, Optional<Answer> answer, HeapClaim claim) {
    if (answer.isEmpty() || asked.isGone()) {
      claim.close();
    } else {
      QueryRoutes.begin(asked.context, answer.get());
      if (asked.context.request().method().equals(HttpMethod.HEAD)) {
        claim.close();
        asked.context.response().end();
      } else {
        AnswerReader.send(asked.context.request(), answer.get(), claim, room);
      }
    }
  }

  private void fail(Asked asked, Throwable failed) {
    asked.untilNanos += asked.queuedNanos; // For a thread, not for memory.
    if (failed instanceof TurnOverException && asked.isGone()) {
      questions--;
    } else if (failed instanceof TurnOverException) {
      asked.isLong = true;
      start(asked);
    } else if (!(failed instanceof HeapFullException full)) {
      questions--;
      asked.context.fail(QueryErrors.asApiException(failed));
    } else if (full.isForGood()) {
      questions--;
      asked.context.fail(refused(full, room.share()));
    } else {
      if (asked.neededBytes == 0) {
        asked.untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      }
      // How much more it is going to need nobody knows: at the next attempt at least twice as much.
      asked.neededBytes = Math.min(2 * full.neededBytes(), full.shareBytes());
      room.makeRoom();
      waiting.add(asked);
      if (waiting.size() == 1) {
        lookSoon();
      }
    }
  }

  /** What to tell who asks for what there is no room for, now or ever. */
  static ApiException refused(HeapFullException full, HeapShare share) {
    if (!full.isForGood()) {
      share.countRefused();
      return busy(share);
    }
    return new ApiException(
        422,
        "execution",
        "series: what is asked takes more memory than all questions may have together, which is "
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
            + " bytes for answers are taken; ask again");
  }

  private void lookSoon() {
    vertx.setTimer(LOOK_MILLIS, timer -> look());
  }

  private void look() {
    int started = 0;
    for (int left = waiting.size(); left > 0; left--) {
      Asked asked = waiting.remove();
      if (asked.isGone()) {
        questions--;
      } else if (System.nanoTime() > asked.untilNanos) {
        questions--;
        room.share().countRefused();
        asked.context.fail(busy(room.share()));
      } else if (started == 0 && hasRoom(asked)) {
        started++;
        start(asked);
      } else {
        waiting.add(asked);
      }
    }
    if (!waiting.isEmpty()) {
      lookSoon();
    }
  }

  /** Those who read nothing make room for it. */
  private boolean hasRoom(Asked asked) {
    while (room.share().freeBytes() < asked.neededBytes) {
      if (!room.makeRoom()) {
        return false;
      }
    }
    return true;
  }
}
