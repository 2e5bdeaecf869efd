package io.hdrsidecar.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {
  @Test
  void of_pairsInAnyOrder_areEqualAndSortedByName() {
    Labels labels = Labels.of("route", "/pay", "method", "POST");
    assertThat(labels)
        .isEqualTo(Labels.of("method", "POST", "route", "/pay"))
        .hasSameHashCodeAs(Labels.of(Map.of("method", "POST", "route", "/pay")))
        .hasToString("{method=\"POST\",route=\"/pay\"}");
    assertThat(labels.asMap().keySet()).containsExactly("method", "route");
  }

  @Test
  void toString_valueWithQuoteBackslashAndNewline_isEscapedAsInPromql() {
    assertThat(Labels.of("a", "\"\\\n")).hasToString("{a=\"\\\"\\\\\\n\"}");
  }

  @Test
  void of_emptyValue_isTheSameAsNoLabel() {
    assertThat(Labels.of("a", "", "b", "x")).isEqualTo(Labels.of("b", "x"));
    assertThat(Labels.of("a", "")).isSameAs(Labels.empty());
    assertThat(Labels.of("b", "x").get("a")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a.b", "é", "__a", "a b", "a\n", "a:b"})
  void of_namePrometheusRefuses_isRefused(String name) {
    assertThatThrownBy(() -> Labels.of(name, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("label name must match");
  }

  @ParameterizedTest
  @ValueSource(strings = {"le", "quantile", "window", "job", "instance"})
  void of_reservedName_isRefused(String name) {
    assertThatThrownBy(() -> Labels.of(name, "x")).hasMessageContaining("reserved");
  }

  @Test
  void of_nameTwice_isRefusedEvenWhenOneValueIsEmpty() {
    assertThatThrownBy(() -> Labels.of("a", "", "a", "x")).hasMessageContaining("used twice: a");
  }

  @Test
  void of_oddNumberOfStrings_namesTheLast() {
    assertThatThrownBy(() -> Labels.of("a", "x", "b")).hasMessageEndingWith("missing after: b");
  }

  @Test
  void of_lengths_areAcceptedUpToTheLimitAndRefusedBeyond() {
    String longest = "x".repeat(Labels.MAX_LENGTH);
    assertThat(Labels.of(longest, longest).get(longest)).isEqualTo(longest);
    assertThatThrownBy(() -> Labels.of(longest + "x", "v")).hasMessageContaining("at most 1024");
    assertThatThrownBy(() -> Labels.of("a", longest + "x")).hasMessageContaining("at most 1024");
  }

  @Test
  void of_numberOfLabels_isAcceptedUpToTheLimitAndRefusedBeyond() {
    Map<String, String> labels = new TreeMap<>();
    for (int i = 0; i < Labels.MAX_LABELS; i++) {
      labels.put("l" + i, "v");
    }
    assertThat(Labels.of(labels).size()).isEqualTo(Labels.MAX_LABELS);
    labels.put("more", "v");
    assertThatThrownBy(() -> Labels.of(labels)).hasMessage("at most 32 labels, but there are 33");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00", "\ude00\ud83d"})
  void of_halfASurrogatePair_isRefused(String value) {
    assertThatThrownBy(() -> Labels.of("a", value)).hasMessageContaining("not Unicode text");
  }

  @Test
  void of_wholeSurrogatePair_isAccepted() {
    assertThat(Labels.of("a", "\ud83d\ude00").get("a")).hasSize(2);
  }

  @Test
  void with_knownName_replacesItsValueAndLeavesTheOriginal() {
    Labels labels = Labels.of("a", "x");
    assertThat(labels.with("a", "y")).isEqualTo(Labels.of("a", "y"));
    assertThat(labels).isEqualTo(Labels.of("a", "x"));
  }

  @Test
  void and_overlappingLabels_joinsEqualAndRefusesDifferentValues() {
    Labels labels = Labels.of("a", "x");
    assertThat(labels.and(Labels.of("a", "x", "b", "y"))).isEqualTo(Labels.of("a", "x", "b", "y"));
    assertThat(labels.and(Labels.empty())).isSameAs(labels);
    assertThatThrownBy(() -> labels.and(Labels.of("a", "y")))
        .hasMessage("label a is set twice: to x and to y");
  }
}
