package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.query.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body up to a limit, as bytes whatever its type: curl calls a posted file a form unless
 * told otherwise, and Vert.x' own handler would parse it as one.
 *
 * <p>Past the limit the request fails at once; what still comes is dropped, up to the limit again,
 * so that a client that reads no answer before it has sent everything gets to see it.
 */
final class RequestBody {
  private final HttpServerRequest request;
  private final int maxBytes;
  private final Promise<Buffer> whole = Promise.promise();
  private final Buffer received = Buffer.buffer();
  private long seenBytes;

  private RequestBody(HttpServerRequest request, int maxBytes) {
    this.request = request;
    this.maxBytes = maxBytes;
  }

  /** Call from the request's first handler, before anything waits. */
  static Future<Buffer> read(HttpServerRequest request, int maxBytes) {
    RequestBody body = new RequestBody(request, maxBytes);
    if (isLongerThan(maxBytes, request.getHeader(HttpHeaders.CONTENT_LENGTH))) {
      body.refuse();
    }
    request.handler(body::receive);
    request.endHandler(end -> body.whole.tryComplete(body.received));
    request.exceptionHandler(body.whole::tryFail);
    return body.whole.future();
  }

  private static boolean isLongerThan(int maxBytes, @Nullable String told) {
    return told != null && told.matches("\\d{1,18}") && Long.parseLong(told) > maxBytes;
  }

  private void receive(Buffer chunk) {
    seenBytes += chunk.length();
    if (seenBytes > 2L * maxBytes) {
      request.connection().close();
    } else if (seenBytes > maxBytes) {
      refuse();
    } else if (!whole.future().isComplete()) {
      received.appendBuffer(chunk);
    }
  }

  private void refuse() {
    whole.tryFail(
        new ApiException(413, "bad_data", "body: must have at most " + maxBytes + " bytes"));
  }
}
