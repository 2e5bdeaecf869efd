package io.hdrsidecar.sidecar.evaluation;

import static io.hdrsidecar.sidecar.evaluation.EvaluatedStore.SECOND;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.query.QueryException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Two series that have more values together than can be counted. */
class CountsOverflowTest {
  private final EvaluatedStore stored = new EvaluatedStore().inMemory(1 << 20);

  private void mergeHalfOfAll(String host) throws Exception {
    stored.clock.advance(Duration.ofSeconds(1));
    PagedCounts counts = new PagedCounts(Intervals.LAYOUT);
    counts.add(Intervals.LAYOUT.indexOf(1_000_000), 1L << 62);
    long end = stored.clock.millis();
    stored.store.mergeWithoutSumMinMax(
        stored.series(host), Intervals.decoded(counts), end - SECOND, end);
  }

  @Test
  void counts_ofMoreThanFitIntoALong_areRefusedInWords() throws Exception {
    long start = stored.clock.millis();
    mergeHalfOfAll("h1");
    mergeHalfOfAll("h2");
    StepRange range = new StepRange(start, stored.clock.millis(), SECOND);

    assertThatThrownBy(() -> stored.over("sum(increase(calls_seconds[10s]))", range, null))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining("2^63 - 1");
    stored.close();
  }
}
