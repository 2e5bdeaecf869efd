package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.SECOND;
import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryLimits;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names alone: what series have counted since start, at any time. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CountsSinceStartTest {
  private static final String COUNT = "calls_seconds_count{host=\"a\"}";

  @TempDir Path folder = Path.of("set by JUnit");

  @Test
  void ofSeriesThatBeganAnew_areOfWhatCameSince() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20).inFiles(folder)) {
      for (int i = 0; i < 5; i++) {
        store.merge(store.series("a"), 1_000_000, 2_000_000, 3_000_000);
        store.pass(Duration.ofSeconds(1));
      }
      store.pass(Duration.ofMinutes(20));
      assertThat(store.store.livingSeries()).isEmpty();
      long anew = store.clock.millis();
      for (int i = 0; i < 4; i++) {
        store.pass(Duration.ofSeconds(1));
        store.merge(store.series("a"), 7_000_000);
      }
      store.awaitDurable();

      StepRange range = new StepRange(store.origin, store.clock.millis(), SECOND);
      ResultSeries counts = store.over(COUNT, range, null).series().get(0);

      for (int i = 0; i < counts.size(); i++) {
        assertThat(counts.valueAt(i)).isEqualTo((counts.timeAt(i) - anew) / 1000.0);
      }
      assertThat(counts.timeAt(0)).isBetween(anew, anew + SECOND);
      assertThat(counts.valueAt(counts.size() - 1)).isEqualTo(4);
    }
  }

  @Test
  void ofAMoment_whileMoreIsMerged_stayWhatTheyWere() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    AtomicBoolean writing = new AtomicBoolean(true);
    try (EvaluatedStore store = new EvaluatedStore().inMemory(32 << 20)) {
      Series series = store.series("a");
      for (int i = 0; i < 10; i++) {
        store.clock.advance(Duration.ofMillis(10));
        store.merge(series, 1_000_000, 2_000_000);
      }
      long then = store.clock.millis();
      Future<Long> writer =
          thread.submit(
              () -> {
                long merged = 0;
                while (writing.get() && merged < 200_000) {
                  store.clock.advance(Duration.ofMillis(10));
                  store.merge(series, 1_000_000, 2_000_000);
                  merged++;
                }
                return merged;
              });
      for (int i = 0; i < 50; i++) {
        assertThat(number(store.at(COUNT, then))).isEqualTo(20);
      }
      writing.set(false);
      assertThat(writer.get()).isPositive();
    } finally {
      writing.set(false);
      thread.shutdownNow();
    }
  }

  @Test
  void ofTimesOfWhichIntervalsWereGivenUp_areNotToldAndSaid() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1_000)) {
      Series series = store.series("a");
      for (int i = 0; i < 10; i++) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(series, 1_000_000, 2_000_000);
      }
      for (int i = 0; i < 60; i++) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(store.series("other" + i), 1_000_000);
      }
      assertThat(series.historyIntervals(0, Long.MAX_VALUE, 10)).isEmpty();

      EvaluatedResult past = store.at(COUNT, store.origin + 5 * SECOND);
      assertThat(past.series()).isEmpty();
      assertThat(past.annotations().warnings())
          .singleElement()
          .asString()
          .contains("memory does not keep all");
      assertThat(number(store.at(COUNT, store.origin + 10 * SECOND))).isEqualTo(20);
      assertThat(number(store.at(COUNT, store.clock.millis()))).isEqualTo(20);
    }
  }

  @Test
  void ofTimesThatMemoryKeepsJoined_areThoseOfTheLastWholeOne_andSaid() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(20_000).inFiles(folder)) {
      Series series = store.series("a");
      for (int i = 0; i < 3_000; i++) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(series, 1_000_000 + 1_000 * i, 5_000_000);
      }
      store.awaitDurable();
      long start = store.origin + 100 * SECOND;

      EvaluatedResult result =
          store.over(COUNT, new StepRange(start, store.clock.millis(), 97 * SECOND), null);

      double longest = result.annotations().longestMillis() / 1000.0;
      assertThat(longest).isGreaterThan(1);
      assertThat(result.annotations().warnings()).hasSize(1);
      ResultSeries counts = result.series().get(0);
      assertThat(counts.size()).isEqualTo(30);
      for (int i = 0; i < counts.size(); i++) {
        double seconds = (counts.timeAt(i) - store.origin) / 1000.0;
        assertThat(counts.valueAt(i)).isBetween(2 * (seconds - longest), 2 * seconds);
      }
    }
  }

  @Test
  void extremes_areThoseOfThatTime() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      Histogram layout = new Histogram(1, 1L << 42, 3);
      long[] all = {5_000_000, 3_000_000, 80_000_000, 1_000, 9_000_000};
      Series series = store.series("a");
      for (long each : all) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(series, each);
      }
      for (int i = 1; i <= all.length; i++) {
        long time = store.origin + i * SECOND;
        long min = Arrays.stream(all, 0, i).min().orElseThrow();
        long max = Arrays.stream(all, 0, i).max().orElseThrow();

        assertThat(number(store.at("histogram_quantile(1, calls_seconds)", time)))
            .isBetween(
                layout.lowestEquivalentValue(max) / 1e9, layout.highestEquivalentValue(max) / 1e9);
        assertThat(number(store.at("histogram_quantile(0, calls_seconds)", time)))
            .isBetween(
                layout.lowestEquivalentValue(min) / 1e9, layout.highestEquivalentValue(min) / 1e9);
      }
    }
  }

  @Test
  void intervalsThatAreRead_count() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      for (int i = 0; i < 40; i++) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(store.series("a"), 1_000_000);
      }
      store.limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-intervals", "100"));

      assertThat(number(store.at(COUNT + " + " + COUNT, store.origin + SECOND))).isEqualTo(2);
      assertThatThrownBy(
              () -> store.at(COUNT + " + " + COUNT + " + " + COUNT, store.origin + SECOND))
          .isInstanceOf(QueryException.class)
          .hasMessageContaining("query.max-intervals");
    }
  }

  @Test
  void withoutAHistory_areThoseOfNow() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore()) {
      store.clock.advance(Duration.ofSeconds(1));
      store.merge(store.series("a"), 1_000_000);
      store.clock.advance(Duration.ofSeconds(1));
      store.merge(store.series("a"), 1_000_000);

      assertThat(number(store.at(COUNT, store.clock.millis()))).isEqualTo(2);
      assertThat(number(store.at("{host=\"a\",__name__=~\".*_count\"}", store.clock.millis())))
          .isEqualTo(2);
      EvaluatedResult past = store.at(COUNT, store.origin + SECOND);
      assertThat(past.series()).isEmpty();
      assertThat(past.annotations().warnings()).hasSize(1);
    }
  }

  @Test
  void ofNow_costNoIntervalsOfWindows() throws Exception {
    try (EvaluatedStore store = new EvaluatedStore().inMemory(1 << 20)) {
      for (int i = 0; i < 40; i++) {
        store.clock.advance(Duration.ofSeconds(1));
        store.merge(store.series("a"), 1_000_000);
      }
      store.limits = SettingRecords.of(QueryLimits.class, Map.of("query.max-intervals", "1"));

      assertThat(number(store.at(COUNT, store.clock.millis()))).isEqualTo(40);
    }
  }
}
