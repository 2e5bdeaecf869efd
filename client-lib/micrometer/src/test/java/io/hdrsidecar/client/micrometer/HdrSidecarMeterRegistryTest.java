package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HdrSidecarMeterRegistryTest {
  private static final RecorderConfig LATENCY = RecorderConfig.latency();

  private final MockClock clock = new MockClock();

  /** Samples once an hour, so that what a test records stays in the recorders. */
  private final HdrSidecarClient client =
      HdrSidecarClient.create(
          ClientConfig.builder()
              .enabled(false)
              .interval(Duration.ofHours(1))
              .commonLabels(Labels.of("pod", "a"))
              .maxSeries(20)
              .shutdownHook(false)
              .build());

  private final HdrSidecarMeterRegistry registry =
      new HdrSidecarMeterRegistry(client, HdrSidecarRegistryConfig.defaults(), clock);

  private final List<String> refusals = new ArrayList<>();

  @AfterEach
  void close() {
    registry.close();
    client.close(Duration.ZERO);
  }

  @Test
  void timer_record_isInTheSeriesInNanoseconds() {
    registry.timer("http.requests", "route", "/pay").record(1_500, TimeUnit.MICROSECONDS);

    Histogram recorded = recorded("http_requests", Labels.of("route", "/pay"), LATENCY);
    assertThat(recorded.getTotalCount()).isEqualTo(1);
    assertThat(recorded.valuesAreEquivalent(recorded.getMaxValue(), 1_500_000)).isTrue();
  }

  @Test
  void timer_inAComposite_recordsInBothRegistries() {
    CompositeMeterRegistry both = new CompositeMeterRegistry();
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    both.add(other);
    both.add(registry);

    both.timer("checkout").record(Duration.ofMillis(3));

    assertThat(other.get("checkout").timer().count()).isEqualTo(1);
    assertThat(recorded("checkout", Labels.empty(), LATENCY).getTotalCount()).isEqualTo(1);
    both.close();
  }

  @Test
  void timer_inACompositeWithPrecision_hasThatManyDigits() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    composite.add(registry);

    Timer.builder("fine").percentilePrecision(4).register(composite).record(Duration.ofMillis(3));

    assertThat(recorded("fine", Labels.empty(), LATENCY.withSignificantDigits(4)).getTotalCount())
        .isEqualTo(1);
  }

  @Test
  void timer_withMeterFilters_obeysThem() {
    registry
        .config()
        .meterFilter(MeterFilter.denyNameStartsWith("noise"))
        .meterFilter(MeterFilter.renameTag("calls", "uri", "route"))
        .meterFilter(MeterFilter.commonTags(List.of()));

    registry.timer("noise.a").record(Duration.ofMillis(1));
    registry.timer("calls", "uri", "/x").record(Duration.ofMillis(1));

    assertThat(registry.getMeters()).hasSize(1);
    assertThat(recorded("calls", Labels.of("route", "/x"), LATENCY).getTotalCount()).isEqualTo(1);
  }

  @Test
  void timer_otherNamingConvention_stillGivesASeriesWithoutUnit() {
    registry.config().namingConvention(NamingConvention.camelCase);

    registry.timer("http.requests", "job", "x").record(Duration.ofMillis(1));

    assertThat(recorded("httpRequests", Labels.of("exported_job", "x"), LATENCY).getTotalCount())
        .isEqualTo(1);
  }

  @Test
  void timer_longerThanTheRange_countsAsItsEnd() {
    Timer timer = registry.timer("slow");
    timer.record(Duration.ofDays(2));

    assertThat(timer.max(TimeUnit.DAYS)).isEqualTo(2);
    Histogram recorded = recorded("slow", Labels.empty(), LATENCY);
    assertThat(recorded.getMaxValue())
        .isEqualTo(recorded.highestEquivalentValue(LATENCY.highestTrackableValue()));
  }

  @Test
  void timers_sameNameOtherTagKeys_areSeriesOfTheirOwn() {
    registry.timer("calls", "a", "1").record(Duration.ofMillis(1));
    registry.timer("calls", "b", "1").record(Duration.ofMillis(1));

    assertThat(recorded("calls", Labels.of("a", "1"), LATENCY).getTotalCount()).isEqualTo(1);
    assertThat(recorded("calls", Labels.of("b", "1"), LATENCY).getTotalCount()).isEqualTo(1);
  }

  @Test
  void timers_thatGiveOneSeries_shareItUntilTheLastIsRemoved() {
    Timer dotted = registry.timer("a.b");
    Timer underscored = registry.timer("a_b");
    dotted.record(Duration.ofMillis(1));
    registry.remove(dotted);
    underscored.record(Duration.ofMillis(1));

    LatencyRecorder shared = client.recorder("a_b");
    assertThat(shared.snapshot().getTotalCount()).isEqualTo(2);

    registry.remove(underscored);
    assertThat(client.recorder("a_b")).isNotSameAs(shared);
  }

  @Test
  void summary_fractions_areRoundedToWholeNumbers() {
    DistributionSummary rows = DistributionSummary.builder("rows").register(registry);
    rows.record(2.4);
    rows.record(2.6);
    rows.record(0.2);

    assertThat(rows.totalAmount()).isEqualTo(2.4 + 2.6 + 0.2);
    Histogram recorded = recorded("rows", Labels.empty(), RecorderConfig.of(Unit.NONE));
    assertThat(recorded.getCountAtValue(0)).isEqualTo(1);
    assertThat(recorded.getCountAtValue(2)).isEqualTo(1);
    assertThat(recorded.getCountAtValue(3)).isEqualTo(1);
  }

  @Test
  void summary_scaled_keepsTheFractionsThatTheScaleMakesWhole() {
    DistributionSummary.builder("ratio").scale(1000).register(registry).record(0.251);

    assertThat(recorded("ratio", Labels.empty(), RecorderConfig.of(Unit.NONE)).getCountAtValue(251))
        .isEqualTo(1);
  }

  @Test
  void summary_inMilliseconds_isRecordedInNanoseconds() {
    DistributionSummary.builder("lag").baseUnit("ms").register(registry).record(0.25);

    assertThat(recorded("lag", Labels.empty(), LATENCY).getCountAtValue(250_000)).isEqualTo(1);
  }

  @Test
  void summary_infinite_countsAsTheHighestValue() {
    registry.summary("odd").record(Double.POSITIVE_INFINITY);

    RecorderConfig config = RecorderConfig.of(Unit.NONE);
    assertThat(recorded("odd", Labels.empty(), config).getCountAtValue(1L << 40)).isEqualTo(1);
  }

  @Test
  void longTaskTimer_stoppedTwice_recordsTheTaskOnce() {
    LongTaskTimer.Sample task = LongTaskTimer.builder("import").register(registry).start();
    clock.add(Duration.ofHours(5));
    assertThat(task.stop()).isEqualTo(Duration.ofHours(5).toNanos());
    assertThat(task.stop()).isEqualTo(-1);

    RecorderConfig week = LATENCY.withRange(1, Duration.ofDays(7).toNanos());
    Histogram recorded = recorded("import", Labels.empty(), week);
    assertThat(recorded.getTotalCount()).isEqualTo(1);
    assertThat(recorded.getCountAtValue(Duration.ofHours(5).toNanos())).isEqualTo(1);
  }

  @Test
  void refusedSeries_worksInProcessAndSaysSo() {
    registry.config().onMeterRegistrationFailed((id, reason) -> refusals.add(reason));

    Timer contradicting = registry.timer("calls", "pod", "b");
    contradicting.record(Duration.ofMillis(1));
    registry.remove(contradicting);

    assertThat(contradicting.count()).isEqualTo(1);
    assertThat(refusals).hasSize(1).first().asString().contains("label pod is set twice");
  }

  @Test
  void maximum_afterThreeSteps_hasFadedWhileCountStays() {
    Timer timer = registry.timer("fading");
    timer.record(Duration.ofSeconds(1));
    assertThat(timer.max(TimeUnit.SECONDS)).isEqualTo(1);

    clock.add(Duration.ofMinutes(3));

    assertThat(timer.max(TimeUnit.SECONDS)).isZero();
    assertThat(timer.count()).isEqualTo(1);
    assertThat(timer.totalTime(TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void manySeries_aboveTheLimit_areCountedInTheOverflowSeries() {
    for (int user = 0; user < 50; user++) {
      registry.timer("calls", "user", "u" + user).record(Duration.ofMillis(1));
    }

    // Any further label set is answered with the overflow recorder.
    Histogram overflow = recorded("calls", Labels.of("user", "next"), LATENCY);
    assertThat(overflow.getTotalCount()).isEqualTo(30);
  }

  @Test
  void close_withAClientHandedIn_leavesItTheSeries() {
    Timer timer = registry.timer("calls");
    LatencyRecorder recorder = client.recorder("calls");
    registry.close();
    timer.record(Duration.ofMillis(1));

    assertThat(client.recorder("calls")).isSameAs(recorder);
    assertThat(recorder.snapshot().getTotalCount()).isEqualTo(1);
  }

  private Histogram recorded(String name, Labels labels, RecorderConfig config) {
    return client.recorder(name, labels, config).snapshot();
  }
}
