package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.query.MalformedSelectorException;
import io.hdrsidecar.sidecar.query.Selector;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A service level agreement: which series, over which windows, and the table of limits. Rules are
 * equal when everything written in them is.
 *
 * @param name value of the label {@code sla}
 * @param selector which series, as in PromQL; all that match are joined
 * @param windows names of sliding windows; empty for all there are
 * @param limits rows in ascending order of their percentiles, all of one base unit
 * @param objective the percentile whose row has the error budget that alerts are about; below 100
 *     and one of the rows, or null
 */
public record SlaRule(
    String name,
    String selector,
    List<String> windows,
    List<SlaLimit> limits,
    @Nullable BigDecimal objective) {
  /** Most rows of one rule. */
  static final int MAX_LIMITS = 32;

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");

  /** Checks what each component says for itself, and their order; IllegalArgumentException. */
  public SlaRule {
    windows = List.copyOf(windows);
    limits = List.copyOf(limits);
    requireName(name);
    requireSelector(selector);
    requireOrder(limits);
    if (objective != null) {
      objective = objective.stripTrailingZeros();
      requireObjective(objective, limits);
    }
  }

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("name must match " + NAME.pattern() + ": " + name);
    }
  }

  static void requireSelector(String text) {
    try {
      Selector.parse(text);
    } catch (MalformedSelectorException e) {
      throw new IllegalArgumentException("selector: " + e.getMessage() + ", in " + text, e);
    }
  }

  /** Throws IllegalArgumentException when the rows cannot make a table. */
  static void requireOrder(List<SlaLimit> limits) {
    if (limits.isEmpty() || limits.size() > MAX_LIMITS) {
      throw new IllegalArgumentException("limits must have 1 to " + MAX_LIMITS + " rows");
    }
    for (int i = 1; i < limits.size(); i++) {
      requireOrder(limits.get(i - 1), limits.get(i));
    }
  }

  /** Throws IllegalArgumentException when the second row cannot stand after the first. */
  static void requireOrder(SlaLimit first, SlaLimit second) {
    if (!first.baseUnit().equals(second.baseUnit())) {
      throw new IllegalArgumentException(
          "limits must all be durations, all sizes or all plain numbers: "
              + first.text()
              + " and "
              + second.text());
    }
    if (first.percentile().compareTo(second.percentile()) >= 0) {
      throw new IllegalArgumentException(
          "percentiles must rise: "
              + second.percentileText()
              + " comes after "
              + first.percentileText());
    }
    if (first.limit().compareTo(second.limit()) > 0) {
      throw new IllegalArgumentException(
          "limits contradict each other: if "
              + second.percentileText()
              + " are within "
              + second.text()
              + ", so are "
              + first.percentileText()
              + ", whose limit is "
              + first.text());
    }
  }

  static void requireObjective(BigDecimal objective, List<SlaLimit> limits) {
    boolean isRow = limits.stream().anyMatch(limit -> limit.percentile().compareTo(objective) == 0);
    if (!isRow || objective.compareTo(SlaLimit.MAXIMUM) >= 0) {
      throw new IllegalArgumentException(
          "objective must be a percentile of the table below 100%, whose row the error budget is"
              + " of: "
              + objective.toPlainString()
              + "%");
    }
  }

  /** Whether this is the row of the objective. */
  boolean hasBudgetIn(SlaLimit limit) {
    return objective != null && objective.compareTo(limit.percentile()) == 0;
  }

  /** The selector, ready to use. */
  Selector parsedSelector() {
    try {
      return Selector.parse(selector);
    } catch (MalformedSelectorException e) {
      throw new IllegalStateException("was checked when the rule was made: " + selector, e);
    }
  }

  /** What all limits are in: {@code seconds}, {@code bytes}, or empty. */
  String baseUnit() {
    return limits.get(0).baseUnit();
  }
}
