package io.hdrsidecar.sidecar.promql;

/** A query that is not PromQL, or that is and is not answered. The message is fit to be read. */
public final class PromqlException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isSyntax;

  private PromqlException(String message, boolean isSyntax) {
    super(message);
    this.isSyntax = isSyntax;
  }

  /**
   * Not PromQL.
   *
   * @param at character, from 0
   */
  static PromqlException syntax(String query, int at, String message) {
    return new PromqlException(place(query, at) + ": parse error: " + message, true);
  }

  /** PromQL, and more than is answered; {@code at} as above. */
  public static PromqlException unsupported(String query, int at, String message) {
    return new PromqlException(place(query, at) + ": " + message, false);
  }

  /** Line and column as Prometheus counts them, from 1. */
  private static String place(String query, int at) {
    int end = Math.min(Math.max(at, 0), query.length());
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < end; i++) {
      if (query.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return line + ":" + (end - lineStart + 1);
  }

  /** Whether it is not PromQL at all. */
  public boolean isSyntax() {
    return isSyntax;
  }

  /** Where it stopped, what was expected, and what came. */
  public String message() {
    return String.valueOf(getMessage());
  }
}
