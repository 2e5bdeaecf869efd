package io.hdrsidecar.sidecar.promql;

import io.hdrsidecar.sidecar.promql.Expression.Aggregation;
import io.hdrsidecar.sidecar.promql.Expression.Binary;
import io.hdrsidecar.sidecar.promql.Expression.Call;
import io.hdrsidecar.sidecar.promql.Expression.NumberLiteral;
import io.hdrsidecar.sidecar.promql.Expression.Parenthesis;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.StringLiteral;
import io.hdrsidecar.sidecar.promql.Expression.Subquery;
import io.hdrsidecar.sidecar.promql.Expression.Unary;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Expressions as text, in the one way in which Prometheus writes them. */
final class ExpressionText {
  private ExpressionText() {}

  static String of(NumberLiteral number) {
    return number.isDuration()
        ? duration(Math.round(number.value() * 1000))
        : FloatText.plain(number.value());
  }

  static String of(StringLiteral text) {
    return quoted(text.value());
  }

  static String of(VectorSelector selector) {
    return series(selector) + shift(selector.shift());
  }

  static String of(RangeSelector range) {
    VectorSelector selector = range.selector();
    return series(selector) + "[" + duration(range.rangeMillis()) + "]" + shift(selector.shift());
  }

  static String of(Subquery subquery) {
    String step = subquery.stepMillis() == 0 ? "" : duration(subquery.stepMillis());
    return subquery.of()
        + "["
        + duration(subquery.rangeMillis())
        + ":"
        + step
        + "]"
        + shift(subquery.shift());
  }

  static String of(Call call) {
    return call.function().word() + "(" + list(call.arguments()) + ")";
  }

  static String of(Aggregation aggregation) {
    Grouping grouping = aggregation.grouping();
    String kept = "";
    if (grouping.without()) {
      kept = " without (" + labels(grouping.labels()) + ") ";
    } else if (!grouping.labels().isEmpty()) {
      kept = " by (" + labels(grouping.labels()) + ") ";
    }
    Expression parameter = aggregation.parameter();
    String first = parameter == null ? "" : parameter + ", ";
    return aggregation.aggregator().word() + kept + "(" + first + aggregation.of() + ")";
  }

  static String of(Binary binary) {
    String bool = binary.returnsBool() ? " bool" : "";
    return binary.left()
        + " "
        + binary.operator().symbol()
        + bool
        + matching(binary.matching())
        + " "
        + binary.right();
  }

  static String of(Unary unary) {
    return (unary.negative() ? "-" : "+") + unary.of();
  }

  static String of(Parenthesis parenthesis) {
    return "(" + parenthesis.of() + ")";
  }

  private static String list(List<Expression> expressions) {
    return expressions.stream().map(Expression::toString).collect(Collectors.joining(", "));
  }

  private static String matching(Matching matching) {
    if (!matching.on() && matching.labels().isEmpty()) {
      return "";
    }
    String group =
        matching.group() == Matching.Group.NONE
            ? ""
            : " " + matching.group().keyword() + " (" + labels(matching.include()) + ")";
    return (matching.on() ? " on (" : " ignoring (") + labels(matching.labels()) + ")" + group;
  }

  private static String series(VectorSelector selector) {
    List<Condition> inBraces =
        selector.name().isEmpty()
            ? selector.conditions()
            : selector.conditions().subList(1, selector.conditions().size());
    String conditions =
        inBraces.stream()
            .map(each -> label(each.label()) + each.comparison().symbol() + quoted(each.value()))
            .sorted()
            .collect(Collectors.joining(","));
    return conditions.isEmpty() ? selector.name() : selector.name() + "{" + conditions + "}";
  }

  private static String label(String label) {
    return label.matches("[a-zA-Z_][a-zA-Z0-9_]*") ? label : quoted(label);
  }

  private static String labels(List<String> labels) {
    return labels.stream().map(ExpressionText::label).collect(Collectors.joining(", "));
  }

  private static String shift(Shift shift) {
    String at = "";
    if (shift.anchor() == Shift.Anchor.TIME) {
      at = String.format(Locale.ROOT, " @ %.3f", shift.atMillis() / 1000.0);
    } else if (shift.anchor() != null) {
      at = " @ " + shift.anchor().name().toLowerCase(Locale.ROOT) + "()";
    }
    long offset = shift.offsetMillis();
    if (offset == 0) {
      return at;
    }
    return at + (offset > 0 ? " offset " : " offset -") + duration(Math.abs(offset));
  }

  /** As Prometheus writes lengths of time: years and weeks only where nothing is left. */
  static String duration(long millis) {
    if (millis == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder(millis < 0 ? "-" : "");
    long rest = Math.abs(millis);
    long[] lengths = {31_536_000_000L, 604_800_000L, 86_400_000L, 3_600_000L, 60_000L, 1000L, 1L};
    String[] units = {"y", "w", "d", "h", "m", "s", "ms"};
    for (int i = 0; i < lengths.length; i++) {
      boolean wholeOnly = i < 2;
      if (rest >= lengths[i] && !(wholeOnly && rest % lengths[i] != 0)) {
        text.append(rest / lengths[i]).append(units[i]);
        rest %= lengths[i];
      }
    }
    return text.toString();
  }

  /** As Go writes text in quotes. */
  static String quoted(String value) {
    StringBuilder text = new StringBuilder("\"");
    value.codePoints().forEach(c -> append(text, c));
    return text.append('"').toString();
  }

  private static void append(StringBuilder text, int c) {
    switch (c) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case '\007' -> text.append("\\a");
      case '\b' -> text.append("\\b");
      case '\f' -> text.append("\\f");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      case '\013' -> text.append("\\v");
      default -> {
        if (isPrinted(c)) {
          text.appendCodePoint(c);
        } else {
          String form = c < 0x80 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
          text.append(String.format(Locale.ROOT, form, c));
        }
      }
    }
  }

  /** All but what shows nothing, or leaves a gap that is no blank. */
  private static boolean isPrinted(int c) {
    return switch (Character.getType(c)) {
      case Character.SPACE_SEPARATOR -> c == ' ';
      case Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
