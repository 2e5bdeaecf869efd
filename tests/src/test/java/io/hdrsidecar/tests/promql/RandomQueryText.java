package io.hdrsidecar.tests.promql;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Texts that are PromQL, or nearly: drawn from the whole of its grammar, written as people and
 * programs write, and then damaged in places. Prometheus' parser says which of them are queries.
 */
final class RandomQueryText {
  private static final List<String> NAMES =
      List.of(
          "demo_call_seconds",
          "demo_call_seconds_bucket",
          "checkout_window_seconds",
          "job:calls:rate5m",
          "_x",
          "sum",
          "by",
          "offset",
          "bool",
          "on",
          "and",
          "inf",
          "nan",
          "start",
          "rate",
          "e1",
          "atan2",
          "ignoring",
          "group_left");

  private static final List<String> LABELS =
      List.of("le", "kind", "__name__", "by", "sum", "on", "_", "a1", "start", "offset", "le");

  private static final List<String> TEXTS =
      List.of(
          "\"response\"",
          "'service'",
          "`raw \\d+`",
          "\"\"",
          "\"a\\\"b\\\\c\"",
          "\"tab\\tnew\\n\"",
          "\"\\u00e9\\x41\\101\"",
          "'it\\'s'",
          "\".+|\"",
          "\"[a-z]*\"",
          "\"(\"",
          "\"\\q\"",
          "\"é – ✓\"",
          "\"ü\"",
          "\"a{2}\"",
          "\"(?i)x\"");

  private static final List<String> DURATIONS =
      List.of(
          "5m",
          "1m0s",
          "1h0m0s",
          "1m30s",
          "90s",
          "1500ms",
          "1d",
          "2w",
          "1y",
          "1h1h",
          "5",
          "0s",
          "1.5m",
          "1s1m",
          "5M",
          "300",
          "0",
          "1e2",
          "0x10",
          "1d12h",
          "99999999y",
          "ms",
          "5m5ms",
          "4m0.5s",
          "1_0",
          "-5m",
          "1m 30s");

  private static final List<String> NUMBERS =
      List.of(
          "1",
          "0.99",
          ".5",
          "1.",
          "1e3",
          "1E-3",
          "0x1f",
          "Inf",
          "+Inf",
          "-Inf",
          "NaN",
          "inf",
          "INF",
          "nan",
          "1_000",
          "1__0",
          "0755",
          "089",
          "1e",
          "0x",
          "5m",
          "1h30m",
          "1e309",
          "1.2.3",
          "0b11",
          "00",
          "1e+5",
          "9007199254740993",
          "0.1e-7",
          "123456789012345678901234567890");

  private static final List<String> FUNCTIONS =
      words(
          """
          rate increase histogram_quantile histogram_count histogram_sum
          histogram_avg histogram_fraction histogram_stddev histogram_stdvar
          max_over_time min_over_time avg_over_time quantile_over_time
          last_over_time irate delta label_replace label_join sort sort_desc
          sort_by_label time vector scalar absent absent_over_time abs clamp round
          timestamp day_of_week predict_linear pi resets no_such_function Rate
          histogram_quantiles info
          """);

  private static final List<String> AGGREGATORS =
      words(
          """
          sum min max avg count topk bottomk quantile stddev group count_values SUM
          Topk limitk
          """);

  private static final List<String> OPERATORS =
      List.of(
          "+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless",
          "atan2", "AND", "=~", "=", "&&", "**", "Or");

  private static final String DAMAGE = "(){}[],:@\"'`=~!<>+-*/%^ \n\t#.09azé\\";

  private final SplittableRandom random;

  RandomQueryText(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A text; one in three is damaged. */
  String next() {
    String text = expression(1 + random.nextInt(4));
    return random.nextInt(3) == 0 ? damaged(text) : text;
  }

  private String damaged(String text) {
    StringBuilder damaged = new StringBuilder(text);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(damaged.length() + 1);
      String other = String.valueOf(DAMAGE.charAt(random.nextInt(DAMAGE.length())));
      if (at == damaged.length() || random.nextInt(3) == 0) {
        damaged.insert(at, other);
      } else if (random.nextBoolean()) {
        damaged.deleteCharAt(at);
      } else {
        damaged.replace(at, at + 1, other);
      }
    }
    return damaged.toString();
  }

  /** Of the type that is wanted, mostly; what stands at its place may be anything. */
  private String expression(int depth) {
    return switch (random.nextInt(16)) {
      case 0 -> scalar(depth);
      case 1 -> range();
      case 2 -> one(TEXTS);
      case 3 -> subquery(depth);
      default -> vector(depth);
    };
  }

  private String vector(int depth) {
    if (random.nextInt(30) == 0) {
      return expression(depth);
    }
    if (depth <= 0) {
      return selector() + shift();
    }
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> aggregation(depth - 1);
      case 3, 4, 5 -> call(depth - 1);
      case 6, 7 -> binary(depth - 1);
      case 8 -> "(" + space() + vector(depth - 1) + space() + ")";
      default -> one(List.of("-", "+", "- ", "--", "+-")) + vector(depth - 1);
    };
  }

  private String scalar(int depth) {
    return switch (random.nextInt(8)) {
      case 0 -> "scalar(" + vector(depth - 1) + ")";
      case 1 ->
          one(List.of("time()", "pi()", "-(1)", "(2)", "1 +2", "2 ^ -1", "-2 ^ 2", "1>bool 2"));
      case 2 -> depth > 0 ? scalar(depth - 1) + operator() + scalar(depth - 1) : one(NUMBERS);
      default -> one(NUMBERS);
    };
  }

  private String range() {
    return selector() + "[" + space() + duration() + space() + "]" + shift();
  }

  /** Five of six are as people write them. */
  private String duration() {
    return random.nextInt(6) == 0 ? one(DURATIONS) : one(DURATIONS.subList(0, 8));
  }

  private String operator() {
    return " " + one(random.nextInt(8) == 0 ? OPERATORS : OPERATORS.subList(0, 6)) + " ";
  }

  private String selector() {
    String name =
        random.nextInt(8) == 0 ? "" : one(random.nextInt(4) == 0 ? NAMES : NAMES.subList(0, 4));
    if (!name.isEmpty() && random.nextBoolean()) {
      return name;
    }
    String matchers =
        IntStream.range(0, random.nextInt(4))
            .mapToObj(i -> matcher())
            .collect(Collectors.joining("," + space()));
    return name + space() + "{" + space() + matchers + one(List.of("", "", "", ",", " ")) + "}";
  }

  private String matcher() {
    if (random.nextInt(16) == 0) {
      return text(); // a name in quotes
    }
    String label = random.nextInt(8) == 0 ? text() : one(LABELS);
    String operator =
        one(
            random.nextInt(10) == 0
                ? List.of("==", ">", " = ", "!")
                : List.of("=", "!=", "=~", "!~"));
    return label + operator + (random.nextInt(20) == 0 ? one(NAMES) : text());
  }

  private String text() {
    return random.nextInt(8) == 0 ? one(TEXTS) : one(TEXTS.subList(0, 7));
  }

  private String shift() {
    StringBuilder shift = new StringBuilder();
    while (random.nextInt(6) == 0) {
      shift.append(
          random.nextBoolean()
              ? one(List.of(" offset ", " OFFSET ", " offset -", "offset ")) + duration()
              : " @ " + one(List.of("1600000000", "1.5", "start()", "end()", "-3", "5m", "Inf")));
    }
    return shift.toString();
  }

  private String aggregation(int depth) {
    String kept = random.nextInt(3) == 0 ? "" : space() + grouping() + space();
    String aggregator = one(AGGREGATORS);
    boolean asUsual = random.nextInt(12) > 0;
    String parameter =
        switch (asUsual ? aggregator : one(AGGREGATORS)) {
          case "topk", "bottomk", "Topk", "limitk", "quantile" -> scalar(depth) + ", ";
          case "count_values" -> "\"value\", ";
          default -> "";
        };
    String over = "(" + parameter + vector(depth) + ")";
    return random.nextBoolean()
        ? aggregator + kept + over
        : aggregator + over + (kept.isEmpty() ? "" : " " + kept);
  }

  private String grouping() {
    return one(List.of("by", "without", "BY", "by "))
        + one(List.of("(", " ("))
        + IntStream.range(0, random.nextInt(3))
            .mapToObj(i -> random.nextInt(10) == 0 ? text() : one(LABELS))
            .collect(Collectors.joining(", "))
        + one(List.of(")", ")", ")", ",)"));
  }

  private String call(int depth) {
    String function = one(FUNCTIONS);
    if (random.nextInt(12) > 0) {
      return function + "(" + usual(function, depth) + ")";
    }
    return function
        + one(List.of("(", " ("))
        + IntStream.range(0, random.nextInt(4))
            .mapToObj(i -> expression(depth / 2))
            .collect(Collectors.joining(", "))
        + one(List.of(")", ")", ",)"));
  }

  /** What such a function takes. */
  private String usual(String function, int depth) {
    String range = random.nextInt(6) == 0 ? subquery(depth) : range();
    return switch (function) {
      case "rate", "increase", "irate", "delta", "resets", "absent_over_time" -> range;
      case "max_over_time", "min_over_time", "avg_over_time", "last_over_time" -> range;
      case "quantile_over_time" -> scalar(depth) + "," + range;
      case "predict_linear" -> range + ", " + scalar(depth);
      case "histogram_quantile" -> scalar(depth) + ", " + vector(depth);
      case "histogram_fraction" -> "0, " + scalar(depth) + ", " + vector(depth);
      case "clamp" -> vector(depth) + ", 0, 1";
      case "label_replace" -> vector(depth) + ", \"a\", \"$1\", \"b\", \"(.*)\"";
      case "label_join" -> vector(depth) + ", \"a\", \",\", \"b\", \"c\"";
      case "sort_by_label" -> vector(depth) + ", \"a\"";
      case "time", "pi" -> "";
      case "vector" -> scalar(depth);
      default -> vector(depth);
    };
  }

  private String binary(int depth) {
    String bool = random.nextInt(6) == 0 ? " bool" : "";
    String matching =
        random.nextInt(5) > 0
            ? ""
            : " " + one(List.of("on", "ignoring", "ON")) + "(" + one(LABELS) + ")" + group();
    String left = random.nextInt(3) == 0 ? scalar(depth) : vector(depth);
    String right = random.nextInt(3) == 0 ? scalar(depth) : vector(depth);
    String operator = one(random.nextInt(4) == 0 ? OPERATORS : OPERATORS.subList(0, 14));
    return left + space() + " " + operator + bool + matching + " " + space() + right;
  }

  private String group() {
    return random.nextInt(3) > 0
        ? ""
        : " "
            + one(List.of("group_left", "group_right"))
            + one(List.of("", "()", "(kind)", "(le,)"));
  }

  private String subquery(int depth) {
    return vector(depth)
        + "["
        + duration()
        + space()
        + ":"
        + space()
        + one(List.of("", "", "30s", "5", "1m0s", "0s"))
        + "]"
        + shift();
  }

  private String space() {
    return switch (random.nextInt(12)) {
      case 0 -> " ";
      case 1 -> "\n";
      case 2 -> "\t ";
      case 3 -> " # a comment\n";
      default -> "";
    };
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }

  private String one(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
