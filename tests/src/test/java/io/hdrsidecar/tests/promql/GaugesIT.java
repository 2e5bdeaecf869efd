package io.hdrsidecar.tests.promql;

import static io.hdrsidecar.tests.promql.RecordedSeries.NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Gauges of windows in PromQL, at times that are past, against the sorted list. */
final class GaugesIT {
  private static final long SEED = Long.getLong("hdr.promql.seed", System.nanoTime() & 0xffffff);
  private static final int MOMENTS = 40;
  private static final long WINDOW_MILLIS = 10_000;

  @RegisterExtension final Processes processes = new Processes();

  private final RecordedLoad load = RecordedLoad.ended(SEED);
  private final SplittableRandom random = new SplittableRandom(SEED);
  private String sidecar = "";

  @BeforeEach
  void send() throws Exception {
    System.out.println("promql gauges: seed=" + SEED);
    SidecarProcess asked = processes.sidecar(0, "--windows=10s,1m");
    load.send(asked);
    sidecar = "http://127.0.0.1:" + asked.httpPort() + "/prometheus";
  }

  /** Whole seconds of the load, so that both windows lie in it. */
  private long moment() {
    return load.originMillis() + (70 + random.nextInt(50)) * 1000L;
  }

  /** The values of a series in the seconds that end in a window. */
  private long[] sorted(RecordedSeries series, long lengthMillis, long endMillis) {
    LongStream inside = LongStream.empty();
    for (int second = 0; second < series.seconds().size(); second++) {
      long end = load.originMillis() + (second + 1) * 1000L;
      if (end > endMillis - lengthMillis && end <= endMillis) {
        inside = LongStream.concat(inside, Arrays.stream(series.seconds().get(second)));
      }
    }
    return inside.sorted().toArray();
  }

  @Test
  void gauge_atAPastTime_isThePercentileOfItsWindow() throws Exception {
    for (int i = 0; i < MOMENTS; i++) {
      long moment = moment();
      for (String quantile : new String[] {"0.5", "0.99", "0.999", "1"}) {
        String query =
            "query_window_seconds{quantile=\"" + quantile + "\", window=\"10s\", shard!=\"10\"}";
        PromqlAnswer answer = PromqlAnswer.at(sidecar, query, moment);
        assertThat(answer.isAnswered()).as(answer.error()).isTrue();
        Map<Map<String, String>, Double> found = answer.numbers().getOrDefault(moment, Map.of());

        assertThat(found).as("%s at %d", query, moment).hasSize(3);
        found.forEach(
            (labels, number) -> {
              Interval truth =
                  new Figure.Quantile(Double.parseDouble(quantile), false)
                      .of(
                          sorted(series(labels.getOrDefault("shard", "")), WINDOW_MILLIS, moment),
                          1);
              assertThat(labels).containsEntry("window", "10s").containsEntry("quantile", quantile);
              assertThat(truth.has(number)).as("%s is %s, not %s", labels, number, truth).isTrue();
            });
      }
    }
  }

  private RecordedSeries series(String shard) {
    return load.series().stream()
        .filter(each -> each.labels().getOrDefault("shard", "").equals(shard))
        .findAny()
        .orElseThrow();
  }

  /** The gauge at the beginning of the range had its window before it. */
  @Test
  void maximum_overARange_isTheSlowestValueOfTheRangeAndOfTheWindowBefore() throws Exception {
    for (int i = 0; i < MOMENTS; i++) {
      long moment = moment();
      long range = (5 + random.nextInt(40)) * 1000L;
      String query =
          "max(max_over_time(query_window_seconds{quantile=\"1\", window=\"10s\", shard=\"2\"}[%ds]))"
              .formatted(range / 1000);
      PromqlAnswer answer = PromqlAnswer.at(sidecar, query, moment);
      assertThat(answer.isAnswered()).as(answer.error()).isTrue();

      long[] values = sorted(series("2"), range + WINDOW_MILLIS, moment);
      double slowest = values[values.length - 1] / NANOS;
      assertThat(answer.numbers().get(moment))
          .as(query)
          .containsExactly(Map.entry(Map.of(), slowest));
    }
  }

  @Test
  void otherQuantile_overARange_isRefusedWithWhatToAskInstead() throws Exception {
    String query = "max_over_time(query_window_seconds{quantile=\"0.99\", window=\"10s\"}[1m])";

    PromqlAnswer answer = PromqlAnswer.at(sidecar, query, moment());

    assertThat(answer.isRefused()).isTrue();
    assertThat(answer.error()).contains("histogram_quantile");
  }
}
