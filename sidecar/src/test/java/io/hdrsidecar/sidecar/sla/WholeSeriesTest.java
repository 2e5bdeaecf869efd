package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WholeSeriesTest {
  private static SlaRule rule(String selector) {
    return new SlaRule("a", selector, List.of(), List.of(SlaLimit.parse("100%", "1s")), null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "checkout | checkout | ''",
        "checkout_seconds | checkout | ''",
        "checkout{kind=\"response\"} | checkout | response",
        "{__name__=\"checkout\", corrected=\"\", kind=\"wait\"} | checkout | wait",
      })
  void of_aNameAndAKindAtMost_isAllSeriesOfThem(String selector, String name, String kind) {
    assertThat(WholeSeries.of(rule(selector))).contains(new WholeSeries(name, kind));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "checkout{route=\"/pay\"}",
        "checkout{kind!=\"wait\"}",
        "checkout{corrected=\"expected_interval\"}",
        "{__name__=~\"checkout|query\"}",
        "{kind=\"response\"}",
      })
  void of_fewerSeriesOrSeveralNames_isNothing(String selector) {
    assertThat(WholeSeries.of(rule(selector))).isEmpty();
  }
}
