package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverflowLabelsTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "''                | ''       | {overflow=\"true\"}",
        "''                | wait     | {kind=\"wait\",overflow=\"true\"}",
        "''                | cache    | {overflow=\"true\"}",
        "expected_interval | ''       | {corrected=\"expected_interval\",overflow=\"true\"}",
        "by_hand           | ''       | {corrected=\"other\",overflow=\"true\"}",
        "expected_interval | response"
            + " | {corrected=\"expected_interval\",kind=\"response\",overflow=\"true\"}"
      })
  void of_anyLabels_keepsWhatForbidsAddingUp(String corrected, String kind, String expected) {
    Labels overflow =
        OverflowLabels.of(Labels.of("route", "/pay", "corrected", corrected, "kind", kind));

    assertThat(overflow).hasToString(expected);
    assertThat(OverflowLabels.areThese(overflow)).isTrue();
    assertThat(OverflowLabels.of(overflow)).isEqualTo(overflow);
  }

  @Test
  void areThese_anyOtherLabels_isFalse() {
    assertThat(OverflowLabels.areThese(Labels.empty())).isFalse();
    assertThat(OverflowLabels.areThese(Labels.of("overflow", "yes"))).isFalse();
    assertThat(OverflowLabels.areThese(Labels.of("kind", "wait"))).isFalse();
    assertThat(OverflowLabels.areThese(Labels.of("overflow", "true", "pod", "a"))).isFalse();
    assertThat(OverflowLabels.areThese(Labels.of("overflow", "true", "kind", "cache"))).isFalse();
  }

  @Test
  void of_whateverIsSent_isOneOfABoundedNumber() {
    Set<Labels> all = new HashSet<>();
    for (String kind : List.of("", "response", "service", "wait", "a", "b", "Response")) {
      for (String corrected : List.of("", "expected_interval", "a", "b", "other")) {
        all.add(OverflowLabels.of(Labels.of("kind", kind, "corrected", corrected)));
      }
    }

    assertThat(all).hasSize(OverflowLabels.MOST);
  }
}
