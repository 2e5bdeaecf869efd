package io.hdrsidecar.sidecar.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.promql.Expression.NumberLiteral;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Expression.VectorSelector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queries as text, as a tree, and as the text that Prometheus writes. Random texts are held against
 * Prometheus' own parser elsewhere.
 */
class PromqlParserTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          sum by(le,)(rate(x_bucket{a='b',c=~"d.*"}[1m0s])) | sum by (le) (rate(x_bucket{a="b",c=~"d.*"}[1m]))
          sum(x) without (a)                                | sum without (a) (x)
          sum by () (x)                                     | sum(x)
          topk(3, x)                                        | topk(3, x)
          x offset 1h30m @ 12.5                             | x @ 12.500 offset 1h30m
          x[5m] @ start() offset -90s                       | x[5m] @ start() offset -1m30s
          x[300:1m]                                         | x[5m:1m]
          x[+5m] offset --1h                                | x[5m] offset 1h
          x[--5m:+1m] offset 0s offset -+1h                 | x[5m:1m] offset -1h
          {a="\\xc3\\xa9 \\u00e9 \\u00a0 \\U000e0001"}         | {a="é é \\u00a0 \\U000e0001"}
          a + b * c ^ d ^ e == bool f or g                  | a + b * c ^ d ^ e == bool f or g
          a / on(x,y) b                                     | a / on (x, y) b
          a * ignoring(x) group_left(z) b                   | a * ignoring (x) group_left (z) b
          -1                                                | -1
          - x                                               | -x
          1e3 + 0x1F + .5 + 1_000 + 0755 + 5m + Inf         | 1000 + 31 + 0.5 + 1000 + 493 + 5m + +Inf
          {"x", b="y"}                                      | {__name__="x",b="y"}
          sum                                               | sum
          x # why                                           | x
          """)
  void text_ofAQuery_isThatOfPrometheus(String query, String text) throws Exception {
    assertThat(PromqlParser.parse(query.strip())).hasToString(text.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          sum(x              | 1:6: parse error: unexpected end of input in aggregation, expected ")"
          sum(x))            | 1:7: parse error: unexpected ")"
          x{a="b" c="d"}     | 1:9: parse error: unexpected "c" in label matching, expected "," or "}"
          x{a="b}            | 1:5: parse error: unterminated quoted string
          x{a="\\q"}         | 1:6: parse error: unknown escape sequence "\\q"
          x{a=~"("}          | 1:6: parse error: not a regular expression of RE2
          {a=~".*"}          | 1:1: parse error: vector selector must contain at least one non-empty matcher
          x[5m               | 1:5: parse error: unexpected end of input in range, expected "]"
          x[-+1h]            | 1:3: parse error: duration must be greater than 0
          x offset --5m + y  | 1:15: parse error: unexpected "+" in offset, expected a duration with at most one sign
          1_.                | 1:1: parse error: bad number or duration syntax: "1_."
          1.5_e3             | 1:1: parse error: bad number or duration syntax: "1.5_e3"
          x + on(le) group_left(a, le) y | 1:3: parse error: no label may be in on and in group_left at once
          x + on(le) group_left (y) | 1:26: parse error: unexpected end of input
          {a="\\xff"}        | 1:4: text that is not UTF-8 is not answered
          x[0s]              | 1:3: parse error: duration must be greater than 0
          x[1s30m]           | 1:3: parse error: not a valid duration string: "1s30m"
          x offset           | 1:9: parse error: unexpected end of input in offset, expected a duration
          sum(x) offset 5m   | 1:8: parse error: offset and @ modifiers must be preceded by
          foo(x)             | 1:1: parse error: unknown function with name "foo"
          rate(x)            | 1:6: parse error: expected type range vector in call to function "rate", got instant vector
          rate(x[1m], 1)     | 1:1: parse error: expected 1 argument(s) in call to "rate", got 2
          sum(1)             | 1:5: parse error: expected type instant vector in aggregation expression, got scalar
          1 == 1             | 1:3: parse error: comparisons between scalars must use BOOL modifier
          1 and x            | 1:3: parse error: set operator "and" not allowed in binary scalar expression
          x + bool y         | 1:3: parse error: bool modifier can only be used on comparison operators
          "a" + 1            | 1:1: parse error: binary expression must contain only scalar and instant vector types
          """)
  void error_ofAMistake_saysWhereAndWhatWasExpected(String query, String message) {
    assertThatThrownBy(() -> PromqlParser.parse(query.strip().replace("\\\\", "\\")))
        .isInstanceOf(PromqlException.class)
        .hasMessageStartingWith(message.strip().replace("\\\\", "\\"));
  }

  @Test
  void error_onALaterLine_countsLines() {
    assertThatThrownBy(() -> PromqlParser.parse("sum(\n  x\n  y)"))
        .hasMessage("3:3: parse error: unexpected \"y\" in aggregation, expected \")\"");
  }

  @Test
  void strings_haveTheEscapesOfGo() throws Exception {
    VectorSelector selector =
        PromqlParser.selector("x{a=\"\\x41\\101\\u00e9\\t\\\"\", b=`\\x41`, c='\\''}");

    assertThat(selector.conditions().stream().map(Condition::value))
        .containsExactly("x", "AA\u00e9\t\"", "\\x41", "'");
  }

  @ParameterizedTest
  @CsvSource({"5m,300000", "1h30m,5400000", "1y,31536000000", "15,15000", "0.5,500", "1m0s,60000"})
  void durations_areThoseOfPrometheus(String text, long millis) throws Exception {
    assertThat(PromqlParser.durationMillis(text)).isEqualTo(millis);
    assertThat(((RangeSelector) PromqlParser.parse("x[" + text + "]")).rangeMillis())
        .isEqualTo(millis);
  }

  @Test
  void places_ofExpressions_areThoseOfTheText() throws Exception {
    Expression parsed = PromqlParser.parse("1 + irate(x[5m])");

    assertThat(parsed.at()).isEqualTo(2);
    assertThat(((Expression.Binary) parsed).right().at()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "-", "sum(", "1+"})
  void depth_isBounded(String opening) {
    assertThatThrownBy(() -> PromqlParser.parse(opening.repeat(5_000)))
        .isInstanceOf(PromqlException.class);
  }

  @Test
  void operators_areBounded() {
    assertThatThrownBy(() -> PromqlParser.parse("x+".repeat(501) + "x"))
        .hasMessageContaining("a query must have at most 500 operators");
  }

  @Test
  void regularExpressions_areBoundedTogether() {
    String dear = "{a=~\"" + "(a{40}){40}x" + "\"}";
    assertThatThrownBy(() -> PromqlParser.parse("x" + dear + (" or x" + dear).repeat(6)))
        .hasMessageContaining("the regular expressions of a query are too large together");
  }

  @Test
  void length_isBounded() {
    assertThatThrownBy(() -> PromqlParser.parse("x" + " ".repeat(PromqlParser.MAX_LENGTH)))
        .hasMessageContaining("a query must have at most 32768 characters");
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1, 0.1",
    "1, 1, 1.0",
    "1e6, 1000000, 1e+06",
    "1.5e-7, 1.5e-07, 1.5e-07",
    "1e21, 1e+21, 1e+21",
    "0.00001, 0.00001, 1e-05",
    "Infinity, +Inf, +Inf",
    "NaN, NaN, NaN",
    "2.5, 2.5, 2.5"
  })
  void numbers_areWrittenAsGoDoes(double value, String sample, String edge) {
    assertThat(FloatText.ofSample(value)).isEqualTo(sample);
    assertThat(FloatText.ofEdge(value)).isEqualTo(edge);
  }

  @Test
  void unary_ofANumber_isANumber() throws Exception {
    assertThat(PromqlParser.parse("-0x10")).isEqualTo(new NumberLiteral(-16, false, 0));
  }
}
