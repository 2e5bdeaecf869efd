package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeterSeriesTest {
  private static final HdrSidecarNamingConvention CONVENTION = new HdrSidecarNamingConvention();
  private static final DistributionStatisticConfig.Builder TIMER_DEFAULTS = timerDefaults();

  private static final Path FAMILY_REGISTRY =
      Path.of(System.getProperty("basedir", "."))
          .resolve(
              "../../sidecar/src/main/java/io/hdrsidecar/sidecar/families/FamilyRegistry.java");
  private static final Pattern RESERVED =
      Pattern.compile("RESERVED_PREFIXES = List\\.of\\(([^)]*)\\)");
  private static final Pattern QUOTED = Pattern.compile("\"(\\w+)\"");

  private static DistributionStatisticConfig.Builder timerDefaults() {
    return DistributionStatisticConfig.builder()
        .minimumExpectedValue(1e6)
        .maximumExpectedValue(30e9);
  }

  @ParameterizedTest
  @CsvSource({
    "http.server.requests, http_server_requests",
    "checkout.seconds, checkout",
    "seconds, seconds",
    "my-timer/über, my_timer__ber",
    "2nd.try, _2nd_try",
    "rule:sum, rule:sum",
    "queue.total, queue_total",
    "hdr.sidecar.up, exported_hdr_sidecar_up",
    "process.order, exported_process_order",
    "processing, processing"
  })
  void ofDurations_name_isThatOfPrometheusWithoutUnit(String meter, String series) {
    assertThat(timer(meter, Tags.empty(), TIMER_DEFAULTS).name()).isEqualTo(series);
  }

  /** A sidecar that refuses more beginnings than are renamed here would lose the meter. */
  @Test
  void ofDurations_eachBeginningThatTheSidecarReserves_isRenamed() throws IOException {
    Matcher list = RESERVED.matcher(Files.readString(FAMILY_REGISTRY));
    assertThat(list.find()).isTrue();
    List<String> reserved =
        QUOTED.matcher(list.group(1)).results().map(each -> each.group(1)).toList();
    assertThat(reserved).contains("hdr_");
    assertThat(reserved)
        .allSatisfy(
            prefix ->
                assertThat(timer(prefix + "x", Tags.empty(), TIMER_DEFAULTS).name())
                    .isEqualTo("exported_" + prefix + "x"));
  }

  @ParameterizedTest
  @CsvSource({
    "response.size, bytes, response_size, BYTES, 1",
    "response.bytes, bytes, response, BYTES, 1",
    "lag, seconds, lag, NANOSECONDS, 1e9",
    "lag.ms, ms, lag, NANOSECONDS, 1e6",
    "lag, milliseconds, lag, NANOSECONDS, 1e6",
    "batch, rows, batch_rows, NONE, 1",
    "batch.rows, rows, batch_rows, NONE, 1",
    "depth, , depth, NONE, 1",
    "jobs.total, , jobs, NONE, 1",
    "jobs.info.total, , jobs, NONE, 1",
  })
  void ofAmounts_baseUnit_decidesUnitAndName(
      String meter, @Nullable String baseUnit, String series, Unit unit, double unitsPerAmount) {
    MeterSeries summary = summary(meter, baseUnit, DistributionStatisticConfig.DEFAULT);
    assertThat(summary.name()).isEqualTo(series);
    assertThat(summary.config().unit()).isEqualTo(unit);
    assertThat(summary.unitsPerAmount()).isEqualTo(unitsPerAmount);
  }

  @Test
  void ofDurations_tagsThatCannotBeLabels_areRenamed() {
    Tags tags =
        Tags.of("job", "batch", "http.method", "GET", "__meta", "x", "overflow", "true", "le", "1");
    assertThat(timer("t", tags, TIMER_DEFAULTS).labels())
        .isEqualTo(
            Labels.of(
                "exported_job", "batch",
                "http_method", "GET",
                "_meta", "x",
                "exported_overflow", "true",
                "exported_le", "1"));
  }

  @Test
  void ofDurations_tagsThatGiveOneName_areKeptApart() {
    assertThat(timer("t", Tags.of("a.b", "1", "a_b", "2"), TIMER_DEFAULTS).labels())
        .isEqualTo(Labels.of("a_b", "1", "a_b_", "2"));
  }

  @Test
  void ofDurations_overlongTagValue_isShortened() {
    Labels labels = timer("t", Tags.of("sql", "x".repeat(5_000)), TIMER_DEFAULTS).labels();
    assertThat(labels.get("sql")).matches("x{1000}");
  }

  /** U+1F600 is two UTF-16 units; half of it would make a label that nobody takes. */
  @Test
  void ofDurations_overlongTexts_areNotCutWithinACharacter() {
    String text = "x" + "\uD83D\uDE00".repeat(2_000);
    Meter.Id id = new Meter.Id("t", Tags.of("sql", text), "seconds", text, Meter.Type.TIMER);
    MeterSeries series =
        MeterSeries.ofDurations(
            id, "t", id.getConventionTags(CONVENTION), TIMER_DEFAULTS.build(), ExpectedRange.TIMER);
    assertThat(series.labels().get("sql")).isEqualTo("x" + "\uD83D\uDE00".repeat(499));
    assertThat(series.config().help()).isEqualTo("x" + "\uD83D\uDE00".repeat(511));
  }

  @Test
  void ofDurations_moreTagsThanLabels_saysSo() {
    List<Tag> tags = IntStream.range(0, 33).mapToObj(i -> Tag.of("tag" + i, "x")).toList();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> timer("t", Tags.of(tags), TIMER_DEFAULTS))
        .withMessageContaining("at most 32 labels");
  }

  @Test
  void ofDurations_buildersDefaults_areNotARange() {
    assertThat(timer("t", Tags.empty(), TIMER_DEFAULTS).config())
        .isEqualTo(RecorderConfig.latency());
  }

  @Test
  void ofDurations_maximumAboveAnHour_widensTheRange() {
    assertThat(highest(timerDefaults().maximumExpectedValue(7.2e12))).isEqualTo(7_200_000_000_000L);
  }

  @Test
  void ofDurations_maximumBelowAnHour_cutsNothingOff() {
    assertThat(highest(timerDefaults().maximumExpectedValue(10e9))).isEqualTo(3_600_000_000_000L);
  }

  @Test
  void ofDurations_minimum_keepsAllItsDigits() {
    RecorderConfig config =
        timer("t", Tags.empty(), timerDefaults().minimumExpectedValue(10e6).percentilePrecision(2))
            .config();
    assertThat(config.significantDigits()).isEqualTo(2);
    // 10 ms at 2 digits: differences of 0.1 ms.
    assertThat(config.lowestDiscernibleValue()).isEqualTo(100_000);
  }

  @ParameterizedTest
  @CsvSource({"1e300, 1e300, 9", "1e18, 1e18, -1", "1e15, 1e15, 0", "1e-3, 2e9, 5"})
  void ofDurations_extremeBounds_stillGiveALayout(double minimum, double maximum, int digits) {
    DistributionStatisticConfig.Builder statistics =
        DistributionStatisticConfig.builder()
            .minimumExpectedValue(minimum)
            .maximumExpectedValue(maximum)
            .percentilePrecision(digits);
    assertThat(timer("t", Tags.empty(), statistics).config().significantDigits()).isBetween(0, 5);
  }

  @Test
  void ofDurations_longTaskTimer_reachesAWeek() {
    Meter.Id id = id("t", Tags.empty(), "seconds", Meter.Type.LONG_TASK_TIMER);
    MeterSeries series =
        MeterSeries.ofDurations(
            id, "t", List.of(), DistributionStatisticConfig.DEFAULT, ExpectedRange.LONG_TASK_TIMER);
    assertThat(series.config().highestTrackableValue()).isEqualTo(7L * 86_400 * 1_000_000_000);
  }

  private static long highest(DistributionStatisticConfig.Builder statistics) {
    return timer("t", Tags.empty(), statistics).config().highestTrackableValue();
  }

  private static MeterSeries timer(
      String name, Tags tags, DistributionStatisticConfig.Builder statistics) {
    Meter.Id id = id(name, tags, "seconds", Meter.Type.TIMER);
    return MeterSeries.ofDurations(
        id,
        id.getConventionName(CONVENTION),
        id.getConventionTags(CONVENTION),
        statistics.build(),
        ExpectedRange.TIMER);
  }

  private static MeterSeries summary(
      String name, @Nullable String baseUnit, DistributionStatisticConfig statistics) {
    Meter.Id id = id(name, Tags.empty(), baseUnit, Meter.Type.DISTRIBUTION_SUMMARY);
    return MeterSeries.ofAmounts(
        id, id.getConventionName(CONVENTION), id.getConventionTags(CONVENTION), statistics);
  }

  private static Meter.Id id(String name, Tags tags, @Nullable String baseUnit, Meter.Type type) {
    return new Meter.Id(name, tags, baseUnit, null, type);
  }
}
