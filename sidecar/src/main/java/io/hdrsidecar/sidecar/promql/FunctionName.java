package io.hdrsidecar.sidecar.promql;

import static io.hdrsidecar.sidecar.promql.ValueType.MATRIX;
import static io.hdrsidecar.sidecar.promql.ValueType.SCALAR;
import static io.hdrsidecar.sidecar.promql.ValueType.STRING;
import static io.hdrsidecar.sidecar.promql.ValueType.VECTOR;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A function of PromQL: all that Prometheus has switched on, those that are not answered among
 * them, so that what is written wrongly is told from what has no answer.
 *
 * @param word as it is written
 * @param arguments types in order; the last one is that of all that follow, if there may be more
 * @param least number of arguments
 * @param most number of arguments
 * @param isAnswered whether it is answered here
 */
public record FunctionName(
    String word,
    List<ValueType> arguments,
    int least,
    int most,
    ValueType returns,
    boolean isAnswered) {
  private static final Map<String, FunctionName> ALL = new LinkedHashMap<>();

  static {
    answer("rate", MATRIX);
    answer("increase", MATRIX);
    answer("histogram_quantile", SCALAR, VECTOR);
    answer("histogram_count", VECTOR);
    answer("histogram_sum", VECTOR);
    answer("histogram_avg", VECTOR);
    answer("histogram_fraction", SCALAR, SCALAR, VECTOR);
    answer("histogram_stddev", VECTOR);
    answer("max_over_time", MATRIX);
    answer("min_over_time", MATRIX);
    answer("label_replace", VECTOR, STRING, STRING, STRING, STRING);
    answer("sort", VECTOR);
    answer("sort_desc", VECTOR);
    for (String word :
        List.of(
            "abs",
            "absent",
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atanh",
            "ceil",
            "cos",
            "cosh",
            "deg",
            "exp",
            "floor",
            "histogram_stdvar",
            "ln",
            "log10",
            "log2",
            "rad",
            "sgn",
            "sin",
            "sinh",
            "sqrt",
            "tan",
            "tanh",
            "timestamp")) {
      know(word, 1, 1, VECTOR, VECTOR);
    }
    for (String word :
        List.of(
            "day_of_month",
            "day_of_week",
            "day_of_year",
            "days_in_month",
            "hour",
            "minute",
            "month",
            "year")) {
      know(word, 0, 1, VECTOR, VECTOR);
    }
    for (String word :
        List.of(
            "absent_over_time",
            "avg_over_time",
            "changes",
            "count_over_time",
            "delta",
            "deriv",
            "idelta",
            "irate",
            "last_over_time",
            "present_over_time",
            "resets",
            "stddev_over_time",
            "stdvar_over_time",
            "sum_over_time")) {
      know(word, 1, 1, VECTOR, MATRIX);
    }
    know("clamp", 3, 3, VECTOR, VECTOR, SCALAR, SCALAR);
    know("clamp_max", 2, 2, VECTOR, VECTOR, SCALAR);
    know("clamp_min", 2, 2, VECTOR, VECTOR, SCALAR);
    know("label_join", 3, Integer.MAX_VALUE, VECTOR, VECTOR, STRING, STRING, STRING);
    know("pi", 0, 0, SCALAR);
    know("predict_linear", 2, 2, VECTOR, MATRIX, SCALAR);
    know("quantile_over_time", 2, 2, VECTOR, SCALAR, MATRIX);
    know("round", 1, 2, VECTOR, VECTOR, SCALAR);
    know("scalar", 1, 1, SCALAR, VECTOR);
    know("time", 0, 0, SCALAR);
    know("vector", 1, 1, VECTOR, SCALAR);
  }

  private static void answer(String word, ValueType... arguments) {
    int count = arguments.length;
    ALL.put(word, new FunctionName(word, List.of(arguments), count, count, VECTOR, true));
  }

  private static void know(
      String word, int least, int most, ValueType returns, ValueType... arguments) {
    ALL.put(word, new FunctionName(word, List.of(arguments), least, most, returns, false));
  }

  /** The function of that name; null for none. Names are told from metrics by their case. */
  static @Nullable FunctionName of(String word) {
    return ALL.get(word);
  }

  /** What the i-th argument must be. */
  ValueType argument(int i) {
    return arguments.get(Math.min(i, arguments.size() - 1));
  }

  /** Those that are answered, in words. */
  public static String answered() {
    return ALL.values().stream()
        .filter(FunctionName::isAnswered)
        .map(FunctionName::word)
        .collect(Collectors.joining(", "));
  }
}
