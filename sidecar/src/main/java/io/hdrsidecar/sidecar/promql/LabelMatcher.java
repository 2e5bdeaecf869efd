package io.hdrsidecar.sidecar.promql;

import com.google.re2j.Pattern;
import io.hdrsidecar.sidecar.promql.Condition.Comparison;
import org.jspecify.annotations.Nullable;

/** One condition of a selector. Regular expressions are anchored at both ends. */
public final class LabelMatcher {
  private final String label;
  private final Comparison comparison;
  private final String value;
  private final @Nullable Pattern pattern;

  /** Throws IllegalArgumentException for an expression that is none, or too large. */
  public LabelMatcher(String label, Comparison comparison, String value) {
    this.label = label;
    this.comparison = comparison;
    this.value = value;
    this.pattern = comparison.isRegex() ? BoundedRegex.compile(value) : null;
  }

  /** Of a condition that was parsed, and so has a regular expression, if any, that can be used. */
  public static LabelMatcher of(Condition condition) {
    return new LabelMatcher(condition.label(), condition.comparison(), condition.value());
  }

  /** What it was made of; where that stood in a query is forgotten. */
  public Condition condition() {
    return new Condition(label, comparison, value, 0);
  }

  /** The label that it is about. */
  public String label() {
    return label;
  }

  /** The one value that satisfies it; null when there are others. */
  public @Nullable String equalTo() {
    return comparison == Comparison.EQUAL ? value : null;
  }

  /** Whether a label with this value satisfies the condition; empty stands for no label. */
  public boolean accepts(String labelValue) {
    return finds(labelValue) != comparison.isNegative();
  }

  /** For a label with two values: a negative condition must hold for both. */
  public boolean accepts(String oneValue, String otherValue) {
    return (finds(oneValue) || finds(otherValue)) != comparison.isNegative();
  }

  private boolean finds(String labelValue) {
    return pattern == null ? value.equals(labelValue) : pattern.matches(labelValue);
  }

  @Override
  public String toString() {
    return label + comparison.symbol() + '"' + value + '"';
  }
}
