package io.hdrsidecar.sidecar.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Turns whatever went wrong into Prometheus' error envelope. */
public final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());

  /** What is full now is seldom full for long. */
  private static final String RETRY_SECONDS = "1";

  private static final String INTERNAL = "internal error, see the sidecar's log";

  private Failures() {}

  /** Answers a failed request: what the caller did wrong in words, our own errors without. */
  public static void answer(RoutingContext context) {
    Throwable failure = context.failure();
    if (failure instanceof ApiException refused) {
      send(context, refused.status(), refused.errorType(), refused.message());
    } else if (!hasReadablePath(context)) {
      send(context, 400, "bad_data", "path cannot be decoded: " + context.request().path());
    } else if (failure instanceof HttpClosedException) {
      LOG.log(System.Logger.Level.DEBUG, "event=asker_gone path={0}", context.request().path());
    } else if (context.statusCode() == 404) {
      send(context, 404, "not_found", "no such path: " + context.request().path());
    } else if (context.statusCode() >= 400 && context.statusCode() < 500) {
      send(context, context.statusCode(), "bad_data", "request cannot be read: " + text(failure));
    } else {
      logFault(context.request().path(), failure);
      send(context, 500, "internal", INTERNAL);
    }
  }

  /** Refuses a request whose body, if it has one, will not be read. */
  public static void refuseUnread(RoutingContext context, ApiException refused) {
    context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    context.fail(refused);
  }

  /** What to tell who asked when an answer has begun; our own errors go to the log. */
  public static ApiException asApiException(String path, Throwable failure) {
    if (failure instanceof ApiException refused) {
      return refused;
    }
    logFault(path, failure);
    return new ApiException(500, "internal", INTERNAL);
  }

  private static void logFault(String path, Throwable failure) {
    LOG.log(System.Logger.Level.ERROR, "event=request_failed path={0}", path, failure);
  }

  /** Vert.x decodes the path late, and passes on what its decoder throws. */
  private static boolean hasReadablePath(RoutingContext context) {
    try {
      context.normalizedPath();
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String text(@Nullable Throwable failure) {
    return failure == null ? "malformed" : String.valueOf(failure.getMessage());
  }

  /** Answers what could not be read up to the end of its headers, and ends the connection. */
  public static void refuseUnreadable(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    int status = 400;
    String message = "request cannot be read: " + text(cause);
    if (cause instanceof TooLongHttpLineException) {
      status = 414;
      message = "request line is too long (http.max-header)";
    } else if (cause instanceof TooLongHttpHeaderException) {
      status = 431;
      message = "headers are too long (http.max-header)";
    }
    endWith(request, status, "bad_data", message);
  }

  /** Answers a request for which there is no place, and ends the connection. */
  static void refuseBusy(HttpServerRequest request) {
    request.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    endWith(
        request,
        503,
        "unavailable",
        "as many requests are being answered as may be, in all or for this address"
            + " (http.max-connections)");
  }

  private static void endWith(
      HttpServerRequest request, int status, String errorType, String message) {
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, ErrorEnvelope.CONTENT_TYPE)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end(ErrorEnvelope.of(errorType, message).toBuffer())
        .onComplete(sent -> request.connection().close());
  }

  /** 405, saying what is allowed. */
  public static void refuseMethod(RoutingContext context, String allowed) {
    context.response().putHeader(HttpHeaders.ALLOW, allowed);
    String message =
        "method " + context.request().method() + " is not allowed here; allowed: " + allowed;
    send(context, 405, "bad_data", message);
  }

  private static void send(RoutingContext context, int status, String errorType, String message) {
    if (!context.response().headWritten() && !context.response().closed()) {
      if (status == 503) {
        context.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
      }
      context
          .response()
          .setStatusCode(status)
          .putHeader(HttpHeaders.CONTENT_TYPE, ErrorEnvelope.CONTENT_TYPE)
          .end(ErrorEnvelope.of(errorType, message).toBuffer());
    }
  }
}
