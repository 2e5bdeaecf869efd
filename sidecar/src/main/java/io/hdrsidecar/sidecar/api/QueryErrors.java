package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.query.QueryException;

/** Which status code and type of Prometheus' HTTP API a query without an answer has. */
final class QueryErrors {
  private QueryErrors() {}

  /** The error that a {@link QueryException} is for an asker; anything else stays what it is. */
  static Throwable asApiException(Throwable failure) {
    return failure instanceof QueryException refused ? of(refused) : failure;
  }

  /** The answer that it is for an asker. */
  static ApiException of(QueryException refused) {
    return switch (refused.kind()) {
      case BAD_PARAMETER -> new ApiException(400, "bad_data", refused.message());
      case NOT_FOUND -> new ApiException(404, "not_found", refused.message());
      case TOO_COSTLY, UNSUPPORTED -> new ApiException(422, "execution", refused.message());
      case TIMED_OUT -> new ApiException(503, "timeout", refused.message());
      case UNAVAILABLE -> new ApiException(503, "unavailable", refused.message());
    };
  }
}
