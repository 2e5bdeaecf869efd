package io.hdrsidecar.sidecar.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  @BeforeEach
  void register() throws Exception {
    register("checkout", Labels.of("route", "/pay", "method", "GET"));
    register("checkout", Labels.of("route", "/cart", "method", "POST"));
    register("checkout", Labels.of("route", "a\"b\nc"));
    register("search", Labels.empty());
  }

  private void register(String name, Labels labels) throws Exception {
    store.register(
        new SeriesDefinition(
            new SeriesKey(name, labels), Unit.NANOSECONDS, "", BucketLayout.of(1, 2), 1_000_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "checkout | 3",
        "checkout{} | 3",
        "checkout_seconds | 3",
        "checkout_window_seconds | 0",
        "checkout{route=\"/pay\"} | 1",
        "checkout{route!=\"/pay\"} | 2",
        "checkout{route=~\"/.*\"} | 2",
        "checkout{route=~\"pay\"} | 0",
        "checkout{route!~\"/.*\"} | 1",
        "checkout{method=\"\"} | 1",
        "checkout{method!=\"\"} | 2",
        "checkout{method=~\"GET.*\",route=\"/pay\"} | 1",
        "{__name__=~\"check.*\"} | 3",
        "{__name__=~\".*_seconds\"} | 4",
        "{__name__!=\"checkout\",__name__=~\".+\"} | 1",
        "{__name__!=\"checkout_seconds\",__name__=~\".+\"} | 1",
        "{route=\"/pay\"} | 1",
        "{route='/pay',} | 1",
        "{route=`/pay`} | 1",
        "{route=\"a\\\"b\\nc\"} | 1",
        "{route=~\"a.b.c\"} | 1",
        "{  route  =~  \"/.*\" ,  method = 'GET' }  | 1"
      })
  void select_likePromQL_findsTheSeries(String text, int count) throws Exception {
    assertThat(Selector.parse(text).select(store)).hasSize(count);
  }

  @Test
  void select_ofSeveral_isInTheOrderOfTheirNames() throws Exception {
    assertThat(Selector.parse("{__name__=~\".+\"}").select(store))
        .extracting(series -> series.key().toString())
        .isSorted()
        .hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | at character 1: expected a metric name or '{', found the end",
        "1abc | at character 1: expected a metric name or '{', found '1'",
        "a b | at character 3: expected the end, found 'b'",
        "a{ | at character 3: expected a label name or '}', found the end",
        "a{x | at character 4: expected one of =, !=, =~, !~, found the end",
        "a{x> | at character 4: expected one of =, !=, =~, !~, found '>'",
        "a{x= | at character 5: expected a value in quotes, found the end",
        "a{x=b} | at character 5: expected a value in quotes, found 'b'",
        "a{x=\"b | at character 5: quote is never closed",
        "a{x=\"b\" y=\"c\"} | at character 9: expected ',' or '}', found 'y'",
        "a{x=\"\\d\"} | at character 6: escape must be one of",
        "a{x=~\"(\"} | at character 6: not a regular expression of RE2",
        "a{x=~\"(?=b)\"} | at character 6: not a regular expression of RE2",
        "{} | at least one condition must not match an empty value",
        "{a=~\".*\"} | at least one condition must not match an empty value",
        "{a!=\"b\"} | at least one condition must not match an empty value"
      })
  void parse_ofBadText_saysWhereAndWhat(String text, String message) {
    assertThatThrownBy(() -> Selector.parse(text))
        .isInstanceOf(MalformedSelectorException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((((a{99}){99}){99}){99}){99}",
        "(((((((((a?){9}){9}){9}){9}){9}){9}){9}){9}){9}",
        "(?:x|[^]{5}]{99}){99}",
        "((a{99}){99",
        "(((((((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}",
        "a{1001}"
      })
  void parse_ofARegexThatWouldGrow_isRefused(String regex) {
    assertThatThrownBy(() -> Selector.parse("{a=~\"" + regex + "\"}"))
        .isInstanceOf(MalformedSelectorException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "a{1000}",
        "\\p{Greek}+",
        "[]{99}{99}]{3}",
        "x{,5}"
      })
  void parse_ofARegexThatStaysSmall_isAccepted(String regex) throws Exception {
    assertThat(Selector.parse("{a=~`" + regex + "`}").select(store)).isEmpty();
  }

  @Test
  void select_withARegexThatBacktracksElsewhere_takesLinearTime() throws Exception {
    register("slow", Labels.of("x", "a".repeat(1_000) + "!"));

    assertThat(Selector.parse("slow{x=~\"(a+)+(a*)*(a|a)*b\"}").select(store)).isEmpty();
  }

  @Test
  void parse_ofTextOverTheLimits_isRefused() {
    for (String text : List.of("a".repeat(5_000), "a{x=~\"" + "b".repeat(600) + "\"}")) {
      assertThatThrownBy(() -> Selector.parse(text))
          .isInstanceOf(MalformedSelectorException.class)
          .hasMessageContaining("must have at most");
    }
  }
}
