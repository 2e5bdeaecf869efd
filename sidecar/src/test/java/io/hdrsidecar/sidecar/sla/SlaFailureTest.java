package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is shown of rules that could not be evaluated. */
class SlaFailureTest {
  private static final Instant START = Instant.ofEpochSecond(1_700_000_000);

  /** Matched with about a thousand calls, each within the one before. */
  private static final String DEEP = "(a?){900}";

  private static final int SMALL_STACK = 1 << 17;

  private final AtomicLong nanos = new AtomicLong();
  private final Clock clock = Clock.fixed(START, ZoneOffset.UTC);
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults(), clock, nanos::get);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock, nanos::get);

  private void useBothRules() throws Exception {
    evaluator.use(
        SlaFile.parse(
            "slas: [{name: deep, selector: 'x{route=~\""
                + DEEP
                + "\"}', limits: {100%: 2ms}}, {name: plain, selector: x, limits: {100%: 2ms}}]",
            "test",
            null));
  }

  private String page() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OpenMetricsTextFormatWriter.create().write(bytes, new SlaCollector(evaluator).collect());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A stack too small for the deep rule; nothing else tells it from other evaluations. */
  private void evaluateOnASmallStack() throws Exception {
    Thread thread = new Thread(null, evaluator::evaluate, "small-stack", SMALL_STACK);
    thread.start();
    thread.join();
  }

  @Test
  void evaluate_selectorThatThrows_doesNotStopTheOthersAndIsNotGreen() throws Exception {
    recorded.merge("x", "route", "a", START.toEpochMilli(), 1_000_000);
    useBothRules();
    assertThat(page())
        .contains("hdr_sla_met{quantile=\"1\",sla=\"deep\",window=\"1m\"} 1.0")
        .contains("hdr_sla_judged{sla=\"deep\"} 1.0")
        .contains("hdr_sidecar_sla_evaluation_failures_total 0.0");
    recorded.merge("x", "route", "aa", START.toEpochMilli(), 3_000_000);

    evaluateOnASmallStack();

    assertThat(page())
        .doesNotContain("hdr_sla_met{quantile=\"1\",sla=\"deep\"")
        .doesNotContain("hdr_sla_events_total{quantile=\"1\",sla=\"deep\"")
        .contains("hdr_sla_judged{sla=\"deep\"} 0.0")
        .contains("hdr_sla_met{quantile=\"1\",sla=\"plain\",window=\"1m\"} 0.0")
        .contains("hdr_sla_events_total{quantile=\"1\",sla=\"plain\"} 2.0")
        .contains("hdr_sla_judged{sla=\"plain\"} 1.0")
        .contains("hdr_sidecar_sla_evaluation_failures_total 1.0");
    assertThat(evaluator.statuses().get(0).trouble())
        .startsWith("the evaluation failed, see the log: ");

    evaluator.evaluate();

    assertThat(page())
        .contains("hdr_sla_met{quantile=\"1\",sla=\"deep\",window=\"1m\"} 0.0")
        .contains("hdr_sla_events_total{quantile=\"1\",sla=\"deep\"} 2.0");
  }

  @Test
  void page_rawBesideCorrected_isNotJudgedAlthoughSeriesMatch() throws Exception {
    recorded.merge("x", "route", "a", START.toEpochMilli(), 1_000_000);
    useBothRules();
    assertThat(page()).contains("hdr_sla_judged{sla=\"plain\"} 1.0");
    recorded.merge("x", "corrected", "expected_interval", START.toEpochMilli(), 1_000_000);

    evaluator.evaluate();

    assertThat(page())
        .contains("hdr_sla_judged{sla=\"plain\"} 0.0")
        .contains("hdr_sla_matched_series{sla=\"plain\"} 2.0")
        .doesNotContain("hdr_sla_met{quantile=\"1\",sla=\"plain\"")
        .doesNotContain("hdr_sla_events_total{quantile=\"1\",sla=\"plain\"");
  }

  @Test
  void statuses_evaluationLongAgo_areWithoutVerdictUntilTheNext() throws Exception {
    recorded.merge("x", "route", "a", START.toEpochMilli(), 1_000_000);
    useBothRules();
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    assertThat(page())
        .contains("hdr_sla_met{quantile=\"1\",sla=\"plain\",window=\"1m\"} 1.0")
        .contains("hdr_sidecar_sla_evaluation_timestamp_seconds 1.7E9")
        .contains("hdr_sidecar_sla_evaluation_duration_seconds 0.0");

    nanos.addAndGet(1);

    assertThat(page())
        .doesNotContain("hdr_sla_met{")
        .doesNotContain("hdr_sla_actual_seconds{")
        .doesNotContain("hdr_sla_events_total{")
        .contains("hdr_sla_judged{sla=\"plain\"} 0.0")
        .contains("hdr_sla_matched_series{sla=\"plain\"} 1.0");
    assertThat(evaluator.statuses().get(0).trouble())
        .isEqualTo("not evaluated since " + START + ", see the sidecar's log and load");

    evaluator.evaluate();

    assertThat(page()).contains("hdr_sla_judged{sla=\"plain\"} 1.0");
  }
}
