package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples are those of DataDog's description of the protocol, where there are any. */
class StatsdLineTest {
  private final StatsdLine line = new StatsdLine(false);
  private byte[] bytes = new byte[0];

  @Test
  void read_aLineWithEveryField_findsNameValuesAndTags() {
    NotKept reason =
        read(
            "page.views:1.5:2:3|d|@0.5|#country:china,env|c:ci-123|e:it-false,cn-x|card:none"
                + "|T1656581400|x:later");

    assertThat(reason).isNull();
    assertThat(text(0, line.nameEnd)).isEqualTo("page.views");
    assertThat(text(line.valuesStart, line.valuesEnd)).isEqualTo("1.5:2:3");
    assertThat(text(line.tagsStart, line.tagsEnd)).isEqualTo("country:china,env");
    assertThat(line.weight).isEqualTo(2);
    assertThat((line.kind == 'm')).isFalse();
  }

  @Test
  void read_aTimer_saysSo_andForgetsTheLineBefore() {
    read("a:1|d|@0.1|#b:c");

    assertThat(read("fuel.level:0.5|ms")).isNull();
    assertThat((line.kind == 'm')).isTrue();
    assertThat(line.weight).isEqualTo(1);
    assertThat(line.tagsEnd - line.tagsStart).isZero();
  }

  @Test
  void read_aRateOfThreeTenths_weighsTenThirds() {
    assertThat(read("song.length:240|h|@0.3")).isNull();
    assertThat(line.weight).isCloseTo(10.0 / 3, within(1e-15));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "page.views:1|c COUNTER",
        "fuel.level:0.5|g GAUGE",
        "users.uniques:1234|s SET",
        "users.online:1|c|#country:china COUNTER",
        "page.views:15|c|T1656581400 COUNTER",
        "_e{21,36}:An_exception_occurred|Cannot_parse EVENT",
        "_sc|Redis_connection|2|#env:dev SERVICE_CHECK",
        "a BAD_LINE",
        "a: BAD_LINE",
        "a:1 BAD_LINE",
        ":1|h BAD_LINE",
        "a:|h BAD_LINE",
        "a:1| BAD_TYPE",
        "a:1|m BAD_TYPE",
        "a:1|hh BAD_TYPE",
        "a:1|ms:2|ms BAD_TYPE",
        "a:1|h|@0 BAD_RATE",
        "a:1|h|@1.5 BAD_RATE",
        "a:1|h|@-0.5 BAD_RATE",
        "a:1|h|@ BAD_RATE",
        "a:1|h|@1e-12 BAD_RATE",
        "a:1|h|@x BAD_RATE"
      })
  void read_whatGivesNoValues_saysWhy(String text, NotKept expected) {
    assertThat(read(text)).isEqualTo(expected);
  }

  @Test
  void read_anEmptyOrAnUnknownField_isSkipped() {
    assertThat(read("a:1|h||zzz|#||@1|")).isNull();
    assertThat(line.weight).isEqualTo(1);
  }

  private @Nullable NotKept read(String text) {
    bytes = text.getBytes(StandardCharsets.UTF_8);
    return line.read(bytes, 0, bytes.length);
  }

  private String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
