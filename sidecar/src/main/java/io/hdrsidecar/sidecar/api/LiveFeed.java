package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.LiveSteps;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All streams of one query. Steps are read once for all that are equally far, which is all that do
 * not catch up. Event loop of the server only; reading is done on a worker.
 */
final class LiveFeed {
  private final LiveSteps steps;
  private final List<LiveStream> streams = new ArrayList<>();
  private boolean reading;

  LiveFeed(LiveSteps steps) {
    this.steps = steps;
  }

  LiveSteps steps() {
    return steps;
  }

  void add(LiveStream stream) {
    streams.add(stream);
  }

  /** Whether it was there. */
  boolean remove(LiveStream stream) {
    return streams.remove(stream);
  }

  /** Those that are open; a copy. */
  List<LiveStream> streams() {
    return List.copyOf(streams);
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }

  /**
   * Reads what has become complete and sends it to those that have room.
   *
   * @param share of the heap for what is read; where that is full, it is tried again later
   * @return whether there is more to send at once, to a reader that catches up; fails when the
   *     query can no longer be answered
   */
  Future<Boolean> advance(
      long nowMillis, WorkerExecutor workers, QueryScope scope, HeapShare share) {
    long complete = steps.completeAt(nowMillis);
    Set<Long> asked = new TreeSet<>();
    for (LiveStream stream : streams) {
      if (stream.nextMillis() < complete && stream.hasRoom()) {
        asked.add(stream.nextMillis());
      }
    }
    if (reading || asked.isEmpty()) {
      return Future.succeededFuture(false);
    }
    reading = true;
    HeapClaim claim = share.claim();
    return workers
        .executeBlocking(() -> read(asked, nowMillis, scope.with(claim)), false)
        .onComplete(done -> reading = false)
        .map(batches -> send(batches, complete))
        .onComplete(done -> claim.close())
        .recover(failed -> laterIfFull(failed, share));
  }

  private static Future<Boolean> laterIfFull(Throwable failed, HeapShare share) {
    if (failed instanceof HeapFullException full) {
      return full.isForGood()
          ? Future.failedFuture(Queries.refused(full, share))
          : Future.succeededFuture(false);
    }
    return Future.failedFuture(failed);
  }

  private Map<Long, LiveSteps.StepBatch> read(Set<Long> asked, long nowMillis, QueryScope scope)
      throws QueryException {
    Map<Long, LiveSteps.StepBatch> batches = new HashMap<>();
    for (long from : asked) {
      batches.put(from, steps.read(from, nowMillis, scope));
    }
    return batches;
  }

  private boolean send(Map<Long, LiveSteps.StepBatch> batches, long complete) {
    boolean more = false;
    for (LiveStream stream : streams()) {
      LiveSteps.StepBatch batch = batches.get(stream.nextMillis());
      if (batch != null && stream.hasRoom()) {
        boolean behind =
            batch.untilMillis() > stream.nextMillis() && batch.untilMillis() < complete;
        more |= stream.send(batch) && behind && stream.hasRoom();
      }
    }
    return more;
  }
}
