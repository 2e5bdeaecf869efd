package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.query.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body up to a limit, as bytes whatever its type: curl calls a posted file a form unless
 * told otherwise, and Vert.x' own handler would parse it as one.
 *
 * <p>Past the limit, or without room in the budget of all bodies, the request fails at once; what
 * still comes is dropped, up to the limit again, so that a client that reads no answer before it
 * has sent everything gets to see it. Event loop of the request only.
 */
public final class RequestBody {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final UploadBudget budget;
  private final Promise<Buffer> whole = Promise.promise();
  private Buffer received = Buffer.buffer();
  private long seenBytes;
  private long takenBytes;
  private boolean released;

  private RequestBody(HttpServerRequest request, int maxBytes, UploadBudget budget) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.budget = budget;
  }

  /**
   * Starts to read. Call from the request's first handler, before anything waits, and {@link
   * #release} in any case.
   */
  public static RequestBody of(HttpServerRequest request, int maxBytes, UploadBudget budget) {
    RequestBody body = new RequestBody(request, maxBytes, budget);
    if (isLongerThan(maxBytes, request.getHeader(HttpHeaders.CONTENT_LENGTH))) {
      body.refuseLength();
    }
    request.handler(body::receive);
    request.endHandler(end -> body.whole.tryComplete(body.received));
    request.exceptionHandler(body::broken);
    return body;
  }

  /** The asker has gone, or what it sends is no body: chunks without their ends, for one. */
  private void broken(Throwable cause) {
    whole.tryFail(
        cause instanceof HttpClosedException
            ? cause
            : new ApiException(400, "bad_data", "body: cannot be read: " + cause.getMessage()));
  }

  private static boolean isLongerThan(int maxBytes, @Nullable String told) {
    return told != null && told.matches("\\d{1,18}") && Long.parseLong(told) > maxBytes;
  }

  private void receive(Buffer chunk) {
    seenBytes += chunk.length();
    if (seenBytes > 2L * maxBytes) {
      request.connection().close();
    } else if (seenBytes > maxBytes) {
      refuseLength();
    } else if (!released && !whole.future().isComplete()) {
      keep(chunk);
    }
  }

  private void keep(Buffer chunk) {
    if (budget.take(chunk.length())) {
      takenBytes += chunk.length();
      received.appendBuffer(chunk);
    } else {
      whole.tryFail(
          new ApiException(503, "unavailable", "too many bytes are being uploaded at once"));
    }
  }

  private void refuseLength() {
    whole.tryFail(
        new ApiException(413, "bad_data", "body: must have at most " + maxBytes + " bytes"));
  }

  /** The bytes, once all are there. */
  public Future<Buffer> whole() {
    return whole.future();
  }

  /** Gives the bytes back; what still comes is dropped. Idempotent. */
  public void release() {
    if (!released) {
      released = true;
      received = Buffer.buffer();
      budget.give(takenBytes);
    }
  }
}
