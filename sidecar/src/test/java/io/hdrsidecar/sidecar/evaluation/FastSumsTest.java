package io.hdrsidecar.sidecar.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** As many selectors as there may be, each of few series whose values lie far up. */
class FastSumsTest {
  private static final int SELECTORS = 16;
  private static final int HOSTS = 8;

  /** What one takes: a counter for each of 32,768 buckets, and bits. */
  private static final long FAST_BYTES = (32_768 + 512) * 8;

  private static final String COUNT = "histogram_count(increase(calls_seconds[60s]))";

  private final EvaluatedStore stored = new EvaluatedStore().inMemory(1 << 20);

  @Test
  void sums_ofAllSelectors_areFastInNoMoreMemoryThanThoseOfOne() throws Exception {
    for (int host = 0; host < HOSTS; host++) {
      Series series = stored.series("h" + host);
      stored.merge(series, 1_000, Duration.ofMinutes(25).toNanos());
    }
    long now = stored.clock.millis();
    String query = String.join(" + ", Collections.nCopies(SELECTORS, COUNT));
    try (HeapClaim claim = HeapClaim.unbounded()) {
      EvaluationScope scope = stored.scope(null, now);
      EvaluationScope own =
          new EvaluationScope(scope.query().with(claim), scope.edges(), now, null);

      EvaluatedResult result = PromqlEvaluation.of(query, own).at(now);

      assertThat(result.series()).hasSize(HOSTS);
      assertThat(result.series()).allMatch(each -> each.valueAt(0) == 2.0 * SELECTORS);
      assertThat(claim.bytes()).isBetween(HOSTS * FAST_BYTES, 3 * HOSTS * FAST_BYTES);
    }
    stored.close();
  }
}
