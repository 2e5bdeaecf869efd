package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Series key, unit and definition: what is refused before a series exists. */
class SeriesDefinitionTest {
  private static final SeriesKey KEY = new SeriesKey("checkout", Labels.of("route", "/pay"));

  private static SeriesDefinition definition(String help, long highest) {
    return new SeriesDefinition(KEY, Unit.NANOSECONDS, help, BucketLayout.of(1000, 3), highest);
  }

  @Test
  void counters_ofAWebLatencyRange_areThoseOfHdrHistogram() {
    Histogram peer = new Histogram(1000, 3_600_000_000_000L, 3);
    assertThat(definition("", 3_600_000_000_000L).counters())
        .isEqualTo((peer.getNeededByteBufferCapacity() - 40) / 9);
  }

  @ParameterizedTest
  @ValueSource(longs = {1999, 0, -1, Long.MIN_VALUE})
  void new_rangeBelowTwiceTheLowestValue_isRefused(long highest) {
    assertThatThrownBy(() -> definition("", highest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least twice the lowest discernible value 1000: " + highest);
  }

  @Test
  void new_helpTooLongOrNotUnicode_isRefused() {
    assertThat(definition("x".repeat(1024), 2000).help()).hasSize(1024);
    assertThatThrownBy(() -> definition("x".repeat(1025), 2000)).hasMessageContaining("1024");
    assertThatThrownBy(() -> definition("\ud83d", 2000)).hasMessageContaining("Unicode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a b", "a{}", "é", "a\n"})
  void newKey_namePrometheusRefuses_isRefused(String name) {
    assertThatThrownBy(() -> new SeriesKey(name, Labels.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("series name must match");
  }

  @Test
  void newKey_nameLengths_areAcceptedUpTo200() {
    assertThat(new SeriesKey("x".repeat(200), Labels.empty()).name()).hasSize(200);
    assertThatThrownBy(() -> new SeriesKey("x".repeat(201), Labels.empty()))
        .hasMessageContaining("at most 200");
    assertThat(KEY).hasToString("checkout{route=\"/pay\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "ns,1500000000,1.5",
    "us,1500000,1.5",
    "ms,1500,1.5",
    "s,1.5,1.5",
    "bytes,7,7",
    "none,7,7"
  })
  void toBaseUnit_ofEachSymbol_dividesOnce(String symbol, double value, double inBaseUnit) {
    assertThat(Unit.ofSymbol(symbol).toBaseUnit(value)).isEqualTo(inBaseUnit);
  }

  @ParameterizedTest
  @EnumSource(Unit.class)
  void ofCode_ofEachUnit_findsItAgain(Unit unit) {
    assertThat(Unit.ofCode(unit.code())).contains(unit);
    assertThat(Unit.ofSymbol(unit.symbol())).isEqualTo(unit);
  }

  @Test
  void ofSymbol_unknown_namesThoseThatExist() {
    assertThat(Unit.ofCode(0)).isEmpty();
    assertThatThrownBy(() -> Unit.ofSymbol("min"))
        .hasMessage("must be one of ns, us, ms, s, bytes, none: min");
  }
}
