package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When a series is there does not depend on the range that is asked for. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SeriesPresenceTest {
  @TempDir Path folder = Path.of("set by JUnit");

  @Test
  void seriesThatEnded_isThereForFiveMinutes_whereverTheRangeBegins() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20).inFiles(folder)) {
      store.pass(Duration.ofSeconds(1));
      store.merge(store.series("a"), 1_000_000);
      long last = store.clock.millis();
      store.pass(Duration.ofMinutes(20));
      assertThat(store.store.livingSeries()).isEmpty();
      store.awaitDurable();
      String query = "histogram_count(rate(calls_seconds[10s]))";
      List<Long> found = new ArrayList<>();
      for (long at = last; at <= last + 400 * SECOND; at += 20 * SECOND) {
        if (!store.at(query, at).series().isEmpty()) {
          found.add(at - last);
        }
      }

      StepRange all = new StepRange(last, last + 400 * SECOND, 20 * SECOND);
      ResultSeries series = store.over(query, all, null).series().get(0);

      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < series.size(); i++) {
        expected.add(series.timeAt(i) - last);
      }
      assertThat(found).isEqualTo(expected);
      assertThat(found).hasSizeBetween(15, 17);
    }
  }

  @Test
  void classicBuckets_ofEdgesThatThereAreNot_areNotThere() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      store.pass(Duration.ofSeconds(1));
      store.merge(store.series("a"), 1_000_000);
      String selector = "calls_seconds_bucket{le=\"7\"}[1m]";

      assertThat(
              store
                  .at("histogram_quantile(0.5, rate(" + selector + "))", store.clock.millis())
                  .series())
          .isEmpty();
    }
  }
}
