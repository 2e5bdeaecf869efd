package io.hdrsidecar.sidecar.query;

/** A query that has no answer. The message is fit for the caller to read. */
public final class QueryException extends Exception {
  private static final long serialVersionUID = 1;

  /** Why not. */
  public enum Kind {
    /** A parameter is missing, unknown, or not what was expected. */
    BAD_PARAMETER,
    /** What was asked for by name is not there. */
    NOT_FOUND,
    /** What is asked is understood, and more than will be done; the message says what helps. */
    TOO_COSTLY,
    /** What is asked is understood, and has no answer here; the message says what has. */
    UNSUPPORTED,
    /** It took too long, or nobody waits for it any more. */
    TIMED_OUT,
    /** What it is about cannot be had whole at the moment; the message says what is missing. */
    UNAVAILABLE
  }

  private final Kind kind;

  private QueryException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The caller's mistake, in whole sentences. */
  public static QueryException badParameter(String message) {
    return new QueryException(Kind.BAD_PARAMETER, message);
  }

  /** The caller's mistake, naming the parameter. */
  public static QueryException badParameter(String parameter, String message) {
    return badParameter(parameter + ": " + message);
  }

  /** Nothing is there that the parameter names. */
  public static QueryException notFound(String parameter, String message) {
    return new QueryException(Kind.NOT_FOUND, parameter + ": " + message);
  }

  /** Too much; the message says what helps. */
  public static QueryException tooCostly(String parameter, String message) {
    return new QueryException(Kind.TOO_COSTLY, parameter + ": " + message);
  }

  /** The same in whole sentences. */
  public static QueryException tooCostly(String message) {
    return new QueryException(Kind.TOO_COSTLY, message);
  }

  /** Not answered; the message says what is. */
  public static QueryException unsupported(String message) {
    return new QueryException(Kind.UNSUPPORTED, message);
  }

  /** It was given up. */
  public static QueryException timedOut(String message) {
    return new QueryException(Kind.TIMED_OUT, message);
  }

  /** No answer now, as it would not be whole. */
  public static QueryException unavailable(String message) {
    return new QueryException(Kind.UNAVAILABLE, message);
  }

  /** Why there is no answer. */
  public Kind kind() {
    return kind;
  }

  /** What was expected, and what came. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
