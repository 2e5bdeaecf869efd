package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.HttpLimits;
import java.util.concurrent.TimeUnit;

/**
 * How long an asker waits for an answer. That is less than a request may take: a connection that is
 * cut tells nobody why.
 *
 * @param startNanos when the request was read up to the end of its headers
 * @param millis from then on
 * @param limit what says so
 */
record AnswerTime(long startNanos, long millis, String limit) {
  /** The rest of a request's time is for its answer to be sent in. */
  private static final long TENTHS = 9;

  /** Of a request that is being read now. */
  static AnswerTime ofRequest(HttpLimits limits) {
    long millis = TENTHS * limits.requestTimeout().toMillis() / 10;
    return new AnswerTime(System.nanoTime(), millis, "nine tenths of http.request-timeout");
  }

  /** The shorter one of both. */
  AnswerTime atMost(long otherMillis, String otherLimit) {
    return otherMillis < millis ? new AnswerTime(startNanos, otherMillis, otherLimit) : this;
  }

  /** 1 or more, as timers ask for. */
  long leftMillis() {
    long gone = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return Math.max(1, millis - gone);
  }

  /**
   * Tells an asker that has waited for so long.
   *
   * @param where in Prometheus' words
   */
  ApiException over(String where) {
    return new ApiException(
        503,
        "timeout",
        "query timed out in "
            + where
            + ": there was no answer within "
            + millis / 1000.0
            + " s, which is "
            + limit
            + "; ask for fewer series, a shorter range or a longer step, or ask again when less is"
            + " being asked");
  }
}
