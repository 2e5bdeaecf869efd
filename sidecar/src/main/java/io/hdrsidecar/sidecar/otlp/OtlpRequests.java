package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.otlp.OtlpCounters.Result;
import io.hdrsidecar.sidecar.otlp.OtlpIntake.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpClosedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Takes requests whatever brought them, one after another: waits for the journal, has a worker take
 * each apart and merge it, and waits for the journal again. Event loop of the server, but for what
 * the worker does.
 */
final class OtlpRequests {
  private static final Logger LOG = System.getLogger(OtlpRequests.class.getName());

  /** Unpacks the body of a request. On the worker. */
  interface Unpacking {
    /** All of it, at most so many bytes, which are taken from the claim. */
    OtlpBody of(RequestBody body, int most, HeapClaim claim)
        throws ApiException, MalformedOtlpException, OtlpBody.TooLargeException;
  }

  private final Vertx vertx;
  private final WorkerExecutor worker;
  private final JournaledRequests journaled;
  private final PointMerger merger;
  private final OtlpIntake intake;
  private final OtlpLog log;
  private final HeapShare bodies;
  private final int maxBody;

  /**
   * None taken yet.
   *
   * @param worker of one thread
   * @param bodies share of the heap for requests
   * @param maxBody bytes that one may have, packed and unpacked
   */
  OtlpRequests(
      Vertx vertx,
      WorkerExecutor worker,
      JournaledRequests journaled,
      PointMerger merger,
      OtlpIntake intake,
      OtlpLog log,
      HeapShare bodies,
      int maxBody) {
    this.vertx = vertx;
    this.worker = worker;
    this.journaled = journaled;
    this.merger = merger;
    this.intake = intake;
    this.log = log;
    this.bodies = bodies;
    this.maxBody = maxBody;
  }

  /**
   * Takes one. Fails only when its sender has gone.
   *
   * @param type of the answer, and of what is unpacked
   */
  Future<OtlpAnswer> take(RequestBody body, String type, Unpacking unpacking) {
    return body.whole()
        .compose(whole -> journaled.beforeMerge(vertx).map(whole))
        .compose(whole -> worker.executeBlocking(() -> merge(whole, type, unpacking), true))
        .onComplete(done -> body.release())
        .compose(
            answer ->
                answer.status() == 200
                    ? journaled.afterMerge(vertx).map(answer)
                    : Future.succeededFuture(answer))
        .recover(failure -> answerTo(failure, type));
  }

  /** On the worker. */
  private OtlpAnswer merge(RequestBody body, String type, Unpacking unpacking)
      throws InterruptedException, ApiException {
    HeapClaim claim = bodies.claim();
    try {
      OtlpBody whole = unpacking.of(body, maxBody, claim);
      if (merger.isFull()) {
        return OtlpAnswer.refused(
            type, Result.FULL, 503, "the journal takes nothing at the moment");
      }
      WireReader request =
          type.equals(OtlpAnswer.JSON)
              ? JsonRequest.read(whole.bytes(), whole.length(), claim)
              : new WireReader(whole.bytes(), 0, whole.length());
      Outcome outcome = intake.take(request);
      return OtlpAnswer.taken(type, outcome.rejected(), outcome.problem());
    } catch (MalformedOtlpException e) {
      log.notKept("bad_request", e.problem(), 1);
      return OtlpAnswer.refused(type, Result.BAD, 400, e.problem());
    } catch (OtlpBody.TooLargeException e) {
      return OtlpAnswer.refused(type, Result.TOO_LARGE, 413, String.valueOf(e.getMessage()));
    } catch (HeapFullException e) {
      return OtlpAnswer.refused(type, Result.FULL, 503, "too many bytes are being taken at once");
    } finally {
      claim.close();
    }
  }

  /** Of what failed before the worker, or in it. */
  private static Future<OtlpAnswer> answerTo(Throwable failure, String type) {
    if (failure instanceof HttpClosedException) {
      return Future.failedFuture(failure); // Nobody is there to be told.
    }
    if (failure instanceof ApiException refused) {
      Result result =
          switch (refused.status()) {
            case 413 -> Result.TOO_LARGE;
            case 501 -> Result.UNSUPPORTED;
            case 503 -> Result.FULL;
            default -> Result.BAD;
          };
      return Future.succeededFuture(
          OtlpAnswer.refused(type, result, refused.status(), refused.message()));
    }
    OutOfMemory.endIfIn(failure);
    LOG.log(Level.ERROR, "event=otlp_request_failed", failure);
    return Future.succeededFuture(
        OtlpAnswer.refused(type, Result.FAILED, 500, "internal error, see the sidecar's log"));
  }
}
