package io.hdrsidecar.sidecar.promql;

/**
 * What a selector asks of one label.
 *
 * @param label its name; {@link #NAME} for the metric's
 * @param value as in quotes, unescaped
 * @param at where its value stands in the query
 */
public record Condition(String label, Comparison comparison, String value, int at) {
  /** The label that stands for the name of the metric. */
  public static final String NAME = "__name__";

  /** How a label is compared. */
  public enum Comparison {
    EQUAL("="),
    NOT_EQUAL("!="),
    MATCHES("=~"),
    MATCHES_NOT("!~");

    private final String symbol;

    Comparison(String symbol) {
      this.symbol = symbol;
    }

    /** As it is written. */
    public String symbol() {
      return symbol;
    }

    /** Whether the value is a regular expression. */
    public boolean isRegex() {
      return this == MATCHES || this == MATCHES_NOT;
    }

    /** Whether what is found is what is not wanted. */
    public boolean isNegative() {
      return this == NOT_EQUAL || this == MATCHES_NOT;
    }
  }
}
