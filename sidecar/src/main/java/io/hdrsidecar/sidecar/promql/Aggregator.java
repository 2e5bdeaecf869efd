package io.hdrsidecar.sidecar.promql;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How elements of a vector are taken together: all that Prometheus has switched on. */
public enum Aggregator {
  SUM(true),
  MIN(true),
  MAX(true),
  COUNT(true),
  AVG(true),
  TOPK(true),
  BOTTOMK(true),
  GROUP(false),
  STDDEV(false),
  STDVAR(false),
  COUNT_VALUES(false),
  QUANTILE(false);

  private static final List<Aggregator> WITH_PARAMETER =
      List.of(TOPK, BOTTOMK, COUNT_VALUES, QUANTILE);

  private final boolean isAnswered;

  Aggregator(boolean isAnswered) {
    this.isAnswered = isAnswered;
  }

  /** As it is written. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is answered here. */
  public boolean isAnswered() {
    return isAnswered;
  }

  boolean hasParameter() {
    return WITH_PARAMETER.contains(this);
  }

  ValueType parameterType() {
    return this == COUNT_VALUES ? ValueType.STRING : ValueType.SCALAR;
  }

  static Optional<Aggregator> of(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(each -> each.word().equals(lower)).findFirst();
  }

  /** Those that are answered, in words. */
  public static String answered() {
    return Arrays.stream(values())
        .filter(Aggregator::isAnswered)
        .map(Aggregator::word)
        .collect(Collectors.joining(", "));
  }
}
