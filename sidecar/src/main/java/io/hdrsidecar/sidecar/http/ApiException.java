package io.hdrsidecar.sidecar.http;

/** An answer that is not a success. The message is fit for the caller to read. */
public final class ApiException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String errorType;

  /**
   * An error.
   *
   * @param status HTTP status code
   * @param errorType as in Prometheus' HTTP API: bad_data, execution, not_found, unavailable,
   *     internal
   */
  public ApiException(int status, String errorType, String message) {
    super(message);
    this.status = status;
    this.errorType = errorType;
  }

  /** 400, naming the parameter. */
  public static ApiException badParameter(String parameter, String message) {
    return new ApiException(400, "bad_data", parameter + ": " + message);
  }

  /** HTTP status code. */
  public int status() {
    return status;
  }

  /** As in Prometheus' HTTP API. */
  public String errorType() {
    return errorType;
  }

  /** What was expected, and what came. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
