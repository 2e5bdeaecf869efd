package io.hdrsidecar.sidecar.promql;

import io.hdrsidecar.sidecar.promql.Condition.Comparison;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import io.hdrsidecar.sidecar.promql.Shift.Anchor;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads selectors, and what shifts them in time.
 *
 * <pre>
 * selector = [ name ] [ "{" [ matcher { "," matcher } [ "," ] ] "}" ]
 * matcher  = string | ( label | string ) ( "=" | "!=" | "=~" | "!~" ) string
 * shift    = { "offset" { sign } duration | "@" ( [ sign ] number | "start()" | "end()" ) }
 * </pre>
 */
final class SelectorReader {
  private static final int MAX_CONDITIONS = 64;

  /** Some 30,000 years: sums of times and durations stay within 63 bits. */
  private static final double MOST_MILLIS = 1e15;

  private final QueryScanner in;
  private final LiteralReader literals;

  SelectorReader(QueryScanner in, LiteralReader literals) {
    this.in = in;
    this.literals = literals;
  }

  /** A selector whose name, if it has one in front, was read. */
  VectorSelector selector(String name, int start) throws PromqlException {
    List<Condition> conditions = new ArrayList<>();
    if (!name.isEmpty()) {
      conditions.add(new Condition(Condition.NAME, Comparison.EQUAL, name, start));
    }
    if (in.take("{")) {
      while (!in.take("}")) {
        Condition next = condition(conditions.size());
        if (!name.isEmpty() && next.label().equals(Condition.NAME)) {
          throw in.at(
              next.at(),
              "metric name must not be set twice: \"" + name + "\" or \"" + next.value() + "\"");
        }
        conditions.add(next);
        if (!in.take(",") && in.next() != '}') {
          throw in.unexpected(" in label matching, expected \",\" or \"}\"");
        }
      }
    }
    return new VectorSelector(name, List.copyOf(conditions), Shift.NONE, start);
  }

  /** A condition, or a metric's name in quotes. */
  private Condition condition(int before) throws PromqlException {
    in.next();
    int start = in.position();
    if (before >= MAX_CONDITIONS) {
      throw in.at(start, "a selector must have at most " + MAX_CONDITIONS + " conditions");
    }
    boolean quoted = literals.isString();
    String label = quoted ? literals.string() : label();
    char next = in.next();
    if (quoted && (next == ',' || next == '}')) {
      return new Condition(Condition.NAME, Comparison.EQUAL, label, start);
    }
    Comparison comparison = comparison();
    if (!literals.isString()) {
      throw in.unexpected(" in label matching, expected a string");
    }
    int at = in.position();
    return new Condition(label, comparison, literals.string(), at);
  }

  private String label() throws PromqlException {
    String word = in.peekWord();
    if (word.isEmpty() || word.indexOf(':') >= 0) {
      throw in.unexpected(" in label matching, expected a label name or \"}\"");
    }
    in.skip(word.length());
    return word;
  }

  private Comparison comparison() throws PromqlException {
    for (Comparison each :
        List.of(Comparison.MATCHES, Comparison.NOT_EQUAL, Comparison.MATCHES_NOT)) {
      if (in.take(each.symbol())) {
        return each;
      }
    }
    if (!in.take("=")) {
      throw in.unexpected(" in label matching, expected one of =, !=, =~, !~");
    }
    return Comparison.EQUAL;
  }

  /** What stands behind; {@link Shift#NONE} for nothing. */
  Shift shift() throws PromqlException {
    Shift shift = Shift.NONE;
    while (true) {
      in.next();
      int start = in.position();
      if (in.takeKeyword("offset")) {
        if (shift.offsetMillis() != 0) {
          throw in.at(start, "offset may not be set multiple times");
        }
        shift = shift.earlier(literals.offsetMillis());
      } else if (in.take("@")) {
        if (shift.anchor() != null) {
          throw in.at(start, "@ <timestamp> may not be set multiple times");
        }
        shift = anchored(shift);
      } else {
        return shift;
      }
    }
  }

  private Shift anchored(Shift shift) throws PromqlException {
    for (Anchor anchor : List.of(Anchor.START, Anchor.END)) {
      if (in.takeKeyword(anchor == Anchor.START ? "start" : "end")) {
        in.require("(", " in @");
        in.require(")", " in @");
        return shift.to(anchor, 0);
      }
    }
    boolean negative = in.take("-");
    if (!negative) {
      in.take("+");
    }
    if (!literals.isNumber()) {
      throw in.unexpected(" in @, expected a timestamp");
    }
    Expression.NumberLiteral seconds = literals.number();
    double millis = Math.rint(seconds.value() * 1000);
    if (!(millis <= MOST_MILLIS)) {
      throw in.at(seconds.at(), "timestamp out of bounds for @ modifier");
    }
    return shift.to(Anchor.TIME, negative ? -(long) millis : (long) millis);
  }
}
