package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters and gauges where they are kept, as a scrape shows them. */
class CountersAndGaugesTest {
  private final CountingIntake kept = keeping(StatsdMapping.NONE, 10);

  private static CountingIntake keeping(StatsdMapping mapping, int most) {
    return new CountingIntake(mapping, MergeConfig.defaults(), 64L << 20, most);
  }

  /** Lines of the page that are no comments. */
  private static List<String> page(CountingIntake intake) throws IOException {
    return text(intake).lines().filter(line -> !line.startsWith("#")).toList();
  }

  private static String text(CountingIntake intake) throws IOException {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(intake.families);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void take_counters_addsWhatTheyStandFor() throws Exception {
    kept.take("a.hits:1:2|c|#x:y\na.hits_total:4|c|@0.5|#x:y\na.hits:0.25|c|#x:y\na.hits:7|c\n");

    assertThat(page(kept)).containsExactly("a_hits_total 7.0", "a_hits_total{x=\"y\"} 11.25");
    assertThat(text(kept)).contains("# TYPE a_hits_total counter\n");
    assertThat(kept.metric("statsd.values", "")).isEqualTo(5);
    assertThat(kept.keys()).isEqualTo("[]");
  }

  @Test
  void take_aMillionTimesAtThreeTenths_isWithinOne() {
    byte[] bytes = ("a:" + "1:".repeat(99) + "1|c|@0.3").getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 10_000; i++) {
      kept.intake.take(bytes, bytes.length, StatsdSocket.UDP, "");
    }

    assertThat(value(kept)).isBetween(1_000_000 / 0.3 - 1, 1_000_000 / 0.3 + 1);
  }

  private static double value(CountingIntake intake) {
    try {
      return Double.parseDouble(page(intake).get(0).split(" ", 2)[1]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"72.6,72.6", "5|+2|-3.5,3.5", "-3,-3", "5|7,7", "1e3,1000"})
  void take_gauges_keepsTheLastAndAddsWhatHasASign(String values, double expected)
      throws Exception {
    for (String value : values.split("\\|", -1)) {
      kept.take("a:" + value + "|g");
    }

    assertThat(value(kept)).isEqualTo(expected);
    assertThat(text(kept)).contains("# TYPE a gauge\n");
  }

  @ParameterizedTest
  @CsvSource({
    "a:-1|c, BAD_VALUE",
    "a:x|c, BAD_VALUE",
    "a:1e400|g, BAD_VALUE",
    "a_info:1|g, BAD_NAME",
    "a_total:1|g, BAD_NAME",
    "hdr_sidecar_values:1|c, PLAIN_CONFLICT",
    "process_open_fds:1|g, PLAIN_CONFLICT",
    "a:x|s, SET",
  })
  void take_whatCannotBeShown_isCountedByReason(String line, NotKept reason) {
    kept.take(line);

    assertThat(kept.metric("statsd.not_kept", reason.label())).isEqualTo(1);
    assertThat(kept.metric("statsd.values", "")).isZero();
  }

  @Test
  void take_oneNameOfTwoTypes_keepsTheFirst() throws Exception {
    kept.take("a:1|c\na:5|g|#x:y\nb:5|g\nb_total:1|c");

    assertThat(page(kept)).containsExactly("a_total 1.0", "b 5.0");
    assertThat(kept.metric("statsd.not_kept", "plain_conflict")).isEqualTo(2);
  }

  /** A histogram of the name is what is shown, whichever came first. */
  @ParameterizedTest
  @ValueSource(strings = {"a_seconds", "a_seconds_count", "a_window_seconds"})
  void take_theNameOfASeries_isNotShownBesideIt(String name) throws Exception {
    kept.take(name + ":1|g");
    assertThat(page(kept)).containsExactly(name + " 1.0");

    kept.take("a:1|ms");
    assertThat(page(kept)).isEmpty();
    kept.take(""); // At the next tick it has ended.
    double before = kept.metric("statsd.values", "");
    kept.take(name + ":2|g");
    assertThat(kept.metric("statsd.values", "")).as("a value that is not shown").isEqualTo(before);
    assertThat(kept.metric("statsd.not_kept", "plain_conflict")).isEqualTo(1);

    CountingIntake later = keeping(StatsdMapping.NONE, 10);
    later.take("a:1|ms");
    later.take(name + ":1|g");
    assertThat(page(later)).isEmpty();
    assertThat(later.metric("statsd.not_kept", "plain_conflict")).isEqualTo(1);
  }

  @Test
  void take_moreThanThereMayBe_isCounted_andThereIsRoomWhenTheFirstHaveEnded() throws Exception {
    for (int i = 0; i < 12; i++) {
      kept.take("a:1|c|#n:" + i);
    }
    assertThat(page(kept)).hasSize(10);
    assertThat(kept.metric("statsd.not_kept", "plain_limit")).isEqualTo(2);

    kept.millis += Duration.ofSeconds(59).toMillis();
    kept.take("b:1|c");
    kept.take("a:1|c|#n:0");
    assertThat(kept.metric("statsd.not_kept", "plain_limit")).isEqualTo(3);

    kept.millis += Duration.ofSeconds(1).toMillis();
    kept.take("");
    assertThat(page(kept)).containsExactly("a_total{n=\"0\"} 2.0");
    kept.take("a:1|c|#n:1\nb:5|c");
    assertThat(page(kept))
        .containsExactly("a_total{n=\"0\"} 2.0", "a_total{n=\"1\"} 1.0", "b_total 5.0");
  }

  @Test
  void expire_all_givesTheirMemoryBack() {
    kept.take("a:1|c\nb:1|g|#x:y");
    assertThat(kept.share.heldBytes()).isPositive();

    kept.millis += Duration.ofMinutes(1).toMillis();
    kept.take("");
    assertThat(kept.plain.size()).isZero();
    kept.intake.use(StatsdMapping.NONE); // forgets the names, too
    assertThat(kept.share.heldBytes()).isZero();
  }

  @Test
  void take_oneNameByTwoRules_multipliesByThatOfEachLine_alsoAfterAReload() throws Exception {
    String rules =
        """
        mappings:
        - {match: one, name: both, scale: 1}
        - {match: ten, name: both, scale: %s}
        """;
    CountingIntake mapped = keeping(MappingFile.parse(rules.formatted("10"), "test"), 10);
    mapped.take("one:1|c\nten:1|c");
    assertThat(page(mapped)).containsExactly("both_total 11.0");

    mapped.use(rules.formatted("100"));
    mapped.take("one:1|c\nten:1|c");
    assertThat(page(mapped)).containsExactly("both_total 112.0");
  }

  @Test
  void take_underAMapping_usesTheRulesOfTheirType() throws Exception {
    CountingIntake mapped =
        keeping(
            MappingFile.parse(
                """
                mappings:
                - {match: "a.*", match_metric_type: gauge, name: of_gauges, labels: {x: "$1"}}
                - {match: "a.*", match_metric_type: counter, name: of_counters, scale: 10}
                - {match: "b.*", match_metric_type: timer, name: of_timers}
                - {match: "c.*", action: drop}
                """,
                "test"),
            10);
    mapped.take("a.y:1|g\na.y:2|c\nb.y:3|g\nc.y:1|c");

    assertThat(page(mapped))
        .containsExactly("b_y 3.0", "of_counters_total 20.0", "of_gauges{x=\"y\"} 1.0");
    assertThat(mapped.metric("statsd.not_kept", "dropped_by_mapping")).isEqualTo(1);
  }
}
