package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.support.WatchedLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatsdIntakeTest {
  private final CountingIntake plain = new CountingIntake();

  @Test
  void take_aDatagramOfSeveralLines_countsEachInItsSeries() {
    plain.take("a.b:1:2:3|d|#x:y\na.b:4|d|#x:z\r\n\nlatency:1.5|ms\n");

    assertThat(plain.keys()).isEqualTo("[a_b{x=\"y\"}, a_b{x=\"z\"}, latency]");
    assertThat(plain.count("a_b", "x", "y")).isEqualTo(3);
    assertThat(plain.sum("a_b", "x", "y")).isEqualTo("6");
    assertThat(plain.sum("latency")).isEqualTo("1500000"); // nanoseconds
  }

  @Test
  void take_aMillionValuesAtThreeTenths_countsWhatTheyStandForWithinOne() {
    String hundred = "a:" + "1:".repeat(99) + "1|h|@0.3";
    byte[] bytes = hundred.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 10_000; i++) {
      plain.intake.take(bytes, bytes.length, StatsdSocket.UDP, "");
    }
    plain.intake.tick();

    assertThat((double) plain.count("a")).isBetween(1_000_000 / 0.3 - 1, 1_000_000 / 0.3 + 1);
    assertThat(plain.sum("a")).isEqualTo(String.valueOf(plain.count("a")));
  }

  @ParameterizedTest
  @CsvSource({"0.1,10", "0.5,2", "0.75,1", "1,1"})
  void take_oneSampledValue_countsTheNearestWholeNumber(double rate, long expected) {
    plain.take("a:7|d|@" + rate);

    assertThat(plain.count("a")).isEqualTo(expected);
  }

  @Test
  void take_badLines_areCountedByReason_andTheOthersCount() {
    plain.take(
        "good:1|h\nbad\nc:1|c\ng:1|g\ns:x|s\n_e{1,1}:a|b\n_sc|x|0\ngood:x:2:y|h\ngood:1|zz\n"
            + "good:1|h|@2\n"
            + "n".repeat(201)
            + ":1|h\ngood:3|h");

    assertThat(plain.count("good")).isEqualTo(3);
    assertThat(plain.sum("good")).isEqualTo("6");
    Map.of(
            NotKept.BAD_LINE, 1,
            NotKept.COUNTER, 1,
            NotKept.GAUGE, 1,
            NotKept.SET, 1,
            NotKept.EVENT, 1,
            NotKept.SERVICE_CHECK, 1,
            NotKept.BAD_VALUE, 2,
            NotKept.BAD_TYPE, 1,
            NotKept.BAD_RATE, 1,
            NotKept.BAD_NAME, 1)
        .forEach(
            (reason, count) ->
                assertThat(plain.metric("statsd.not_kept", reason.label()))
                    .as("%s", reason)
                    .isEqualTo(count.doubleValue()));
  }

  @Test
  void take_aFloodOfBadLines_isOneLineOfLogForEachReason() {
    try (WatchedLog log = new WatchedLog(StatsdLog.class.getName())) {
      for (int i = 0; i < 1000; i++) {
        plain.take("bad\ngood:x|h");
      }
      assertThat(log.from(Level.WARNING)).hasSize(2).allMatch(l -> l.contains("statsd_bad_line"));
    }
    assertThat(plain.metric("statsd.not_kept", "bad_line")).isEqualTo(1000);
  }

  @Test
  void take_tags_becomeLabelsThatPrometheusAllows() {
    plain.take("1st.name-x:1|h|#2xx:a,b.c:d:e,alone,job:j,__x:y,overflow:true,empty:,:nothing");

    assertThat(plain.keys())
        .isEqualTo(
            "[_1st_name_x{_2xx=\"a\",alone=\"true\",b_c=\"d:e\",exported___x=\"y\","
                + "exported_job=\"j\",exported_overflow=\"true\"}]");
  }

  @Test
  void take_tooManyTags_isRefusedAndCounted() {
    StringBuilder tags = new StringBuilder("a:1|h|#");
    for (int i = 0; i < 40; i++) {
      tags.append("t").append(i).append(":x,");
    }
    plain.take(tags.toString());

    assertThat(plain.keys()).isEqualTo("[]");
    assertThat(plain.metric("statsd.not_kept", "bad_tags")).isEqualTo(1);
  }

  @Test
  void take_namesThatEndInABaseUnit_areOfThatUnit() {
    plain.take("a.seconds:0.25|h\nb_bytes:10|d\nc_seconds:250|ms\nd:250|d");

    assertSeries("a", Unit.NANOSECONDS, "250000000");
    assertSeries("b", Unit.BYTES, "10");
    assertSeries("c", Unit.NANOSECONDS, "250000000");
    assertSeries("d", Unit.NONE, "250");
  }

  @Test
  void take_underAMapping_hasItsNamesLabelsUnitsAndScales() throws Exception {
    CountingIntake mapped =
        new CountingIntake(
            """
            mappings:
            - {match: "app.*.latency", name: app_latency_seconds, labels: {app: "$1"}}
            - {match: "micros.*", name: of_micros, unit: us}
            - {match: "kilo.*", name: kilo_bytes, scale: 1024}
            - {match: "gone.*", action: drop}
            """);
    mapped.take("app.shop.latency:12|ms|#app:tag,env:x\nmicros.a:3|h\nkilo.a:2|d\ngone.x:1|h");

    assertThat(mapped.sum("app_latency", "app", "shop", "env", "x")).isEqualTo("12000000");
    assertThat(mapped.sum("of_micros")).isEqualTo("3000");
    assertThat(mapped.sum("kilo")).isEqualTo("2048");
    assertThat(mapped.metric("statsd.not_kept", "dropped_by_mapping")).isEqualTo(1);
  }

  /** What was counted before is handed over under its old name, and all memory is given back. */
  @Test
  void use_otherRules_namesWhatComesFromThenOn() throws Exception {
    CountingIntake changing =
        new CountingIntake("mappings: [{match: \"a.*\", name: before, labels: {x: \"$1\"}}]");
    byte[] waiting = "a.b:1:2|d".getBytes(StandardCharsets.US_ASCII);
    changing.take("a.c:7|d");
    changing.intake.take(waiting, waiting.length, StatsdSocket.UDP, "");

    changing.use("mappings: [{match: \"a.*\", name: after}]");
    changing.take("a.b:4|d");

    assertThat(changing.sum("before", "x", "b")).isEqualTo("3");
    assertThat(changing.sum("before", "x", "c")).isEqualTo("7");
    assertThat(changing.sum("after")).isEqualTo("4");
    changing.use("mappings: []");
    changing.intake.tick();
    assertThat(changing.share.heldBytes()).isZero();
  }

  @Test
  void take_oneNameWithTwoUnits_keepsTheFirst_andCountsAndSaysWhatIsLost() {
    try (WatchedLog log = new WatchedLog(StatsdLog.class.getName())) {
      plain.take("a:1|h");
      plain.take("a:1:2|ms");

      assertThat(plain.count("a")).isEqualTo(1);
      assertThat(log.from(Level.WARNING)).hasSize(1).allMatch(l -> l.contains("series_refused"));
    }
    assertThat(
            plain.counters.metrics(() -> 0, () -> 0).stream()
                .filter(m -> m.labels().equals(List.of("reason", "series_conflict")))
                .mapToDouble(m -> m.value().getAsDouble()))
        .containsExactly(2.0);
  }

  @Test
  void take_valuesOutsideTheRange_areCountedAtItsEdge() {
    plain.take("a:-5:0.4:1e30|h");

    assertThat(plain.count("a")).isEqualTo(3);
    assertThat(plain.total("a").parts().get(0).sumMinMax().min()).isZero();
    assertThat(plain.total("a").parts().get(0).sumMinMax().max()).isEqualTo(1L << 40);
  }

  /** More names than the memory holds at a time: all are handed over in turn, none is lost. */
  @Test
  void take_moreNamesThanThereIsMemoryFor_losesNothing() {
    CountingIntake small =
        new CountingIntake(
            StatsdMapping.NONE, MergeConfig.defaults(), StatsdIntake.LINE_BYTES + (200 << 10));
    StringBuilder datagram = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      datagram.append("a:1|d|#t:").append(i).append('\n');
    }
    small.take(datagram.toString());
    small.intake.tick();

    assertThat(small.store.livingSeries()).hasSize(5000);
    assertThat(small.store.status().values()).isEqualTo(5000);
    assertThat(small.share.mostHeldBytes()).isLessThanOrEqualTo(300L << 10);
  }

  /** The store's limit of series, and its overflow series. */
  @Test
  void take_moreLabelSetsThanSeriesMayBe_countsThemInTheOverflowSeries() {
    CountingIntake few =
        new CountingIntake(
            StatsdMapping.NONE, new MergeConfig(10, 4, 1 << 20, List.of()), 64L << 20);
    for (int i = 0; i < 100; i++) {
      few.take("a:1|d|#t:" + i);
    }

    assertThat(few.count("a", "overflow", "true")).isEqualTo(90);
    assertThat(few.store.status().values()).isEqualTo(100);
  }

  private void assertSeries(String name, Unit unit, String sum) {
    assertThat(plain.store.find(new SeriesKey(name, Labels.empty())).orElseThrow().unit())
        .isEqualTo(unit);
    assertThat(plain.sum(name)).isEqualTo(sum);
  }
}
