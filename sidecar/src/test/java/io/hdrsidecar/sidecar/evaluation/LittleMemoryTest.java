package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.PastCounts;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.Selector;
import io.hdrsidecar.sidecar.query.TimeRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journal that has more intervals than answers have memory for, and a memory that has less. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LittleMemoryTest {
  private static final int INTERVALS = 10_000;

  @TempDir Path folder = Path.of("set by JUnit");

  private final HeapShare share = HeapBudget.of(24L << 20).share(HeapBudget.Use.QUERIES);
  private final EvaluatedStore stored = new EvaluatedStore().inMemory(60_000);

  @BeforeEach
  void fill() throws Exception {
    stored.inFiles(folder);
    Series series = stored.series("h1");
    for (int i = 0; i < INTERVALS; i++) {
      stored.clock.advance(Duration.ofSeconds(1));
      stored.merge(series, 1_000 + i, 5_000_000);
    }
    stored.awaitDurable();
    assertThat(INTERVALS * 128L).as("more than there is").isGreaterThan(share.maxBytes());
  }

  @AfterEach
  void close() {
    stored.close();
    assertThat(share.heldBytes()).isZero();
  }

  private EvaluationScope scope(HeapClaim claim) {
    EvaluationScope scope = stored.scope(null, stored.clock.millis());
    return new EvaluationScope(scope.query().with(claim), scope.edges(), scope.nowMillis(), null);
  }

  @Test
  void answerOfAllCounts_isCoarserAndWhole() throws Exception {
    TimeRange range = new TimeRange(stored.origin, stored.clock.millis() + 1);
    try (HeapClaim claim = share.claim()) {
      QueryScope scope = scope(claim).query();
      try (PastCounts past = scope.past("series", Selector.of("series", "calls"), range)) {
        assertThat(past.sum().count()).isEqualTo(2L * INTERVALS);
        assertThat(past.intervals()).hasSizeLessThan(INTERVALS / 2);
      }
    }
  }

  @Test
  void query_atOneTime_isCoarserAndWhole() throws Exception {
    try (HeapClaim claim = share.claim()) {
      EvaluatedResult result =
          PromqlEvaluation.of("histogram_count(increase(calls_seconds[10000s]))", scope(claim))
              .at(stored.clock.millis());

      assertThat(EvaluatedStore.number(result)).isEqualTo(2.0 * INTERVALS);
      assertThat(result.annotations().longestMillis()).isGreaterThan(SECOND);
    }
  }

  @Test
  void steps_withoutMemoryForOne_areCoarserAndWhole() throws Exception {
    long end = stored.clock.millis();
    StepRange range = new StepRange(end, end + 20 * SECOND, 10 * SECOND);
    try (HeapClaim claim = share.claim()) {
      EvaluatedResult result =
          PromqlEvaluation.of("histogram_count(increase(calls_seconds[20000s]))", scope(claim))
              .over(range);

      assertThat(result.series().get(0).size()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        assertThat(result.series().get(0).valueAt(i)).isEqualTo(2.0 * INTERVALS);
      }
      assertThat(result.annotations().longestMillis()).isGreaterThan(SECOND);
    }
  }

  @Test
  void steps_withMemoryForSome_areFine() throws Exception {
    StepRange range =
        new StepRange(stored.origin + 60 * SECOND, stored.clock.millis(), 60 * SECOND);
    try (HeapClaim claim = share.claim()) {
      EvaluatedResult result =
          PromqlEvaluation.of("histogram_count(increase(calls_seconds[60s]))", scope(claim))
              .over(range);

      assertThat(result.series().get(0).size()).isEqualTo(range.times().length);
      for (int i = 0; i < range.times().length; i++) {
        assertThat(result.series().get(0).valueAt(i)).isEqualTo(120.0);
      }
      assertThat(result.annotations().longestMillis()).isEqualTo(SECOND);
    }
  }
}
