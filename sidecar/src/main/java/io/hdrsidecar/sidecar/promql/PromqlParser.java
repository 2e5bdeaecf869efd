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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads queries, by recursive descent.
 *
 * <pre>
 * expression  = unary { operator [ "bool" ] [ matching ] unary }    by binding, see BinaryOperator
 * unary       = [ "+" | "-" ] postfix
 * postfix     = primary { "[" duration [ ":" [ duration ] ] "]" } shift
 * primary     = number | string | "(" expression ")" | aggregation | call | selector
 * aggregation = aggregator [ grouping ] "(" [ expression "," ] expression ")" [ grouping ]
 * grouping    = ( "by" | "without" ) labels
 * matching    = ( "on" | "ignoring" ) labels [ ( "group_left" | "group_right" ) [ labels ] ]
 * call        = function "(" [ expression { "," expression } ] ")"
 * </pre>
 *
 * @see <a href="https://prometheus.io/docs/prometheus/latest/querying/basics/">Querying basics</a>
 */
public final class PromqlParser {
  /** Longest query. */
  public static final int MAX_LENGTH = 32_768;

  static final int MAX_DEPTH = 64;

  /** Each makes the tree one deeper, also where nothing is nested. */
  private static final int MAX_OPERATORS = 500;

  /** Keywords that Prometheus takes for no metric's name. */
  private static final Set<String> NO_METRICS =
      Set.of("atan2", "bool", "group_left", "group_right", "ignoring", "inf", "nan", "on");

  private final QueryScanner in;
  private final LiteralReader literals;
  private final SelectorReader selectors;
  private final TypeCheck types;
  private int depth;
  private int operators;

  private PromqlParser(String text) {
    this.in = new QueryScanner(text);
    this.literals = new LiteralReader(in);
    this.selectors = new SelectorReader(in, literals);
    this.types = new TypeCheck(text);
  }

  /**
   * Reads a query. O(its length).
   *
   * @throws PromqlException saying where it is not PromQL, and what was expected there
   */
  public static Expression parse(String text) throws PromqlException {
    if (text.length() > MAX_LENGTH) {
      throw PromqlException.syntax(
          text, MAX_LENGTH, "a query must have at most " + MAX_LENGTH + " characters");
    }
    PromqlParser parser = new PromqlParser(text);
    if (parser.in.next() == 0 && parser.in.isBehindEnd()) {
      throw parser.in.at(parser.in.position(), "no expression found in input");
    }
    Expression whole = parser.expression(BinaryOperator.LEAST_BINDING);
    parser.in.next();
    if (!parser.in.isBehindEnd()) {
      throw parser.in.unexpected("");
    }
    return whole;
  }

  /**
   * Reads a selector alone, as of {@code match[]}.
   *
   * @throws PromqlException as {@link #parse}
   */
  public static VectorSelector selector(String text) throws PromqlException {
    Expression parsed = parse(text);
    if (parsed instanceof VectorSelector selector && selector.shift().equals(Shift.NONE)) {
      return selector;
    }
    throw PromqlException.syntax(text, parsed.at(), "expected a selector such as checkout_seconds");
  }

  /**
   * Reads a length of time, such as {@code 1h30m}.
   *
   * @throws PromqlException as {@link #parse}
   */
  public static long durationMillis(String text) throws PromqlException {
    QueryScanner in = new QueryScanner(text);
    long millis = new LiteralReader(in).positiveMillis();
    if (!in.isBehindEnd()) {
      throw in.unexpected("");
    }
    return millis;
  }

  private Expression expression(int leastBinding) throws PromqlException {
    if (++depth > MAX_DEPTH) {
      throw in.at(in.position(), "expressions must be nested at most " + MAX_DEPTH + " deep");
    }
    Expression left = unary();
    while (true) {
      in.next();
      int at = in.position();
      Optional<BinaryOperator> operator = operator(leastBinding);
      if (operator.isEmpty()) {
        depth--;
        return left;
      }
      left = binary(operator.get(), left, at);
    }
  }

  private Optional<BinaryOperator> operator(int leastBinding) {
    for (BinaryOperator each : BinaryOperator.values()) {
      if (each.binding() >= leastBinding
          && (each.isWord() ? in.takeKeyword(each.symbol()) : in.take(each.symbol()))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private Binary binary(BinaryOperator operator, Expression left, int at) throws PromqlException {
    if (++operators > MAX_OPERATORS) {
      throw in.at(at, "a query must have at most " + MAX_OPERATORS + " operators");
    }
    boolean bool = in.takeKeyword("bool");
    if (bool && !operator.isComparison()) {
      throw in.at(at, "bool modifier can only be used on comparison operators");
    }
    Matching matching = matching(operator, at);
    int binding = operator.isRightAssociative() ? operator.binding() : operator.binding() + 1;
    Binary binary = new Binary(operator, left, expression(binding), bool, matching, at);
    types.check(binary);
    return binary;
  }

  private Matching matching(BinaryOperator operator, int at) throws PromqlException {
    boolean on = in.takeKeyword("on");
    if (!on && !in.takeKeyword("ignoring")) {
      return Matching.DEFAULT;
    }
    List<String> labels = labels(" in grouping opts");
    for (Matching.Group group : List.of(Matching.Group.LEFT, Matching.Group.RIGHT)) {
      if (in.takeKeyword(group.keyword())) {
        if (operator.isSet()) {
          throw in.at(at, "no grouping allowed for \"" + operator.symbol() + "\" operation");
        }
        List<String> include = in.next() == '(' ? labels(" in grouping opts") : List.of();
        if (on && labels.stream().anyMatch(include::contains)) {
          throw in.at(at, "no label may be in on and in " + group.keyword() + " at once");
        }
        return new Matching(on, labels, group, include);
      }
    }
    return new Matching(on, labels, Matching.Group.NONE, List.of());
  }

  private List<String> labels(String where) throws PromqlException {
    in.require("(", where);
    List<String> labels = new ArrayList<>();
    while (!in.take(")")) {
      String word = literals.isString() ? literals.string() : in.peekWord();
      if (word.isEmpty()) {
        throw in.unexpected(where + ", expected label");
      }
      in.takeKeyword(word.toLowerCase(Locale.ROOT));
      labels.add(word);
      if (!in.take(",") && in.next() != ')') {
        throw in.unexpected(where + ", expected \",\" or \")\"");
      }
    }
    return List.copyOf(labels);
  }

  private Expression unary() throws PromqlException {
    in.next();
    int at = in.position();
    boolean negative = in.take("-");
    if (!negative && !in.take("+")) {
      return postfix();
    }
    Expression of = expression(BinaryOperator.SIGN_BINDING + 1);
    types.checkSigned(of, at);
    if (of instanceof NumberLiteral number) {
      double value = negative ? -number.value() : number.value();
      return new NumberLiteral(value, number.isDuration(), at);
    }
    return new Unary(negative, of, at);
  }

  private Expression postfix() throws PromqlException {
    Expression of = primary();
    while (true) {
      char next = in.next();
      int at = in.position();
      if (next == '[') {
        of = range(of, at);
      } else {
        Shift shift = selectors.shift();
        if (shift.equals(Shift.NONE) && in.position() == at) {
          return of;
        }
        of = shifted(of, shift, at);
      }
    }
  }

  private Expression range(Expression of, int at) throws PromqlException {
    in.skip(1);
    long range = literals.rangeMillis();
    boolean isSubquery = in.take(":");
    long step = !isSubquery || in.next() == ']' ? 0 : literals.rangeMillis();
    in.require("]", isSubquery ? " in subquery" : " in range");
    if (isSubquery) {
      types.checkSubquery(of, at);
      return new Subquery(of, range, step, Shift.NONE, of.at());
    }
    if (!(of instanceof VectorSelector selector)) {
      throw in.at(at, "ranges only allowed for vector selectors");
    }
    if (!selector.shift().equals(Shift.NONE)) {
      throw in.at(at, "no offset or @ modifiers allowed before range");
    }
    return new RangeSelector(selector, range, selector.at());
  }

  private Expression shifted(Expression of, Shift shift, int at) throws PromqlException {
    if (of instanceof VectorSelector s) {
      requireOnce(s.shift(), at);
      return new VectorSelector(s.name(), s.conditions(), shift, s.at());
    }
    if (of instanceof RangeSelector r) {
      VectorSelector s = r.selector();
      requireOnce(s.shift(), at);
      return new RangeSelector(
          new VectorSelector(s.name(), s.conditions(), shift, s.at()), r.rangeMillis(), r.at());
    }
    if (of instanceof Subquery s) {
      requireOnce(s.shift(), at);
      return new Subquery(s.of(), s.rangeMillis(), s.stepMillis(), shift, s.at());
    }
    throw in.at(
        at,
        "offset and @ modifiers must be preceded by an instant vector selector or range vector"
            + " selector or a subquery");
  }

  private void requireOnce(Shift before, int at) throws PromqlException {
    if (!before.equals(Shift.NONE)) {
      throw in.at(at, "offset or @ may not be set multiple times");
    }
  }

  private Expression primary() throws PromqlException {
    in.next();
    int at = in.position();
    if (literals.isNumber()) {
      return literals.number();
    }
    if (literals.isString()) {
      return new StringLiteral(literals.string(), at);
    }
    if (in.take("(")) {
      Expression inner = expression(BinaryOperator.LEAST_BINDING);
      in.require(")", "");
      return new Parenthesis(inner, at);
    }
    String word = in.peekWord();
    if (!word.isEmpty()) {
      return named(word, at);
    }
    if (in.peek(0) != '{') {
      throw in.unexpected("");
    }
    return types.checked(selectors.selector("", at));
  }

  private Expression named(String word, int at) throws PromqlException {
    in.skip(word.length());
    Optional<Aggregator> aggregator = Aggregator.of(word);
    if (aggregator.isPresent() && isAggregation()) {
      return aggregation(aggregator.get(), at);
    }
    if (in.next() == '(') {
      return call(word, at);
    }
    Double number = LiteralReader.named(word);
    if (number != null && in.peek(0) != '{') {
      return new NumberLiteral(number, false, at);
    }
    if (NO_METRICS.contains(word.toLowerCase(Locale.ROOT))) {
      in.reset(at);
      throw in.unexpected("");
    }
    return types.checked(selectors.selector(word, at));
  }

  private boolean isAggregation() {
    String word = in.peekWord();
    return in.peek(0) == '(' || word.equalsIgnoreCase("by") || word.equalsIgnoreCase("without");
  }

  private Aggregation aggregation(Aggregator aggregator, int at) throws PromqlException {
    Grouping before = grouping();
    in.require("(", " in aggregation");
    Expression first = expression(BinaryOperator.LEAST_BINDING);
    Expression parameter = null;
    if (in.take(",")) {
      parameter = first;
      first = expression(BinaryOperator.LEAST_BINDING);
    }
    in.require(")", " in aggregation");
    Grouping after = before == null ? grouping() : null;
    Grouping grouping = before != null ? before : after;
    Aggregation aggregation =
        new Aggregation(
            aggregator, parameter, first, grouping == null ? Grouping.NONE : grouping, at);
    types.check(aggregation);
    return aggregation;
  }

  private @Nullable Grouping grouping() throws PromqlException {
    if (in.takeKeyword("by")) {
      return new Grouping(false, labels(" in grouping opts"));
    }
    return in.takeKeyword("without") ? new Grouping(true, labels(" in grouping opts")) : null;
  }

  private boolean isTrailing() throws PromqlException {
    if (in.next() == ')') {
      throw in.at(in.position(), "trailing commas not allowed in function call args");
    }
    return false;
  }

  private Call call(String word, int at) throws PromqlException {
    FunctionName function = FunctionName.of(word);
    if (function == null) {
      throw in.at(at, "unknown function with name \"" + word + "\"");
    }
    in.require("(", "");
    List<Expression> arguments = new ArrayList<>();
    if (!in.take(")")) {
      do {
        arguments.add(expression(BinaryOperator.LEAST_BINDING));
      } while (in.take(",") && !isTrailing());
      in.require(")", " in call to function \"" + word + "\"");
    }
    Call call = new Call(function, List.copyOf(arguments), at);
    types.check(call);
    return call;
  }
}
