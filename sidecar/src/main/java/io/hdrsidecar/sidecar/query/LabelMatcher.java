package io.hdrsidecar.sidecar.query;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a selector. Regular expressions are RE2's, as in Prometheus: anchored at both
 * ends, a dot matches a line break too, and matching takes time linear in the text, so that no
 * expression can hold a thread.
 */
final class LabelMatcher {
  /** How a label is compared, as written. */
  enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    MATCHES("=~"),
    MATCHES_NOT("!~");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    String symbol() {
      return symbol;
    }

    boolean isRegex() {
      return this == MATCHES || this == MATCHES_NOT;
    }

    boolean isNegative() {
      return this == NOT_EQUAL || this == MATCHES_NOT;
    }
  }

  private final String label;
  private final Operator operator;
  private final String value;
  private final @Nullable Pattern pattern;

  /** Throws {@link com.google.re2j.PatternSyntaxException} for a bad expression. */
  LabelMatcher(String label, Operator operator, String value) {
    this.label = label;
    this.operator = operator;
    this.value = value;
    this.pattern = operator.isRegex() ? Pattern.compile(value, Pattern.DOTALL) : null;
  }

  String label() {
    return label;
  }

  /** The one value that satisfies it; null when there are others. */
  @Nullable String equalTo() {
    return operator == Operator.EQUAL ? value : null;
  }

  /** Whether a label with this value satisfies the condition; empty stands for no label. */
  boolean accepts(String labelValue) {
    return finds(labelValue) != operator.isNegative();
  }

  /** For a label with two values: a negative condition must hold for both. */
  boolean accepts(String oneValue, String otherValue) {
    return (finds(oneValue) || finds(otherValue)) != operator.isNegative();
  }

  private boolean finds(String labelValue) {
    return pattern == null ? value.equals(labelValue) : pattern.matches(labelValue);
  }

  @Override
  public String toString() {
    return label + operator.symbol() + '"' + value + '"';
  }
}
