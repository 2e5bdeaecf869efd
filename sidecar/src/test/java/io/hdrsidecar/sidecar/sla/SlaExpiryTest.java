package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Counters of a rule while series end and begin. */
class SlaExpiryTest {
  private final AtomicLong nanos = new AtomicLong();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(10, 4, 100_000, List.of(), 2048, Duration.ofSeconds(10)),
          Clock.systemUTC(),
          nanos::get);
  private final History history = new History(1 << 20);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, Clock.systemUTC());

  private SlaStatus status() {
    evaluator.evaluate();
    return evaluator.statuses().get(0);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      store.expireIdle();
    }
  }

  @Test
  void evaluate_seriesThatEnds_keepsItsCountsAndFreesItsHistory() throws Exception {
    store.past().keepIn(history);
    evaluator.use(
        SlaFile.parse("slas: [{name: x, selector: x, limits: {100%: 2ms}}]", "test", null));
    recorded.merge("x", "route", "a", 1000, 1_000_000, 3_000_000);
    recorded.merge("x", "route", "b", 1000, 1_000_000);
    assertThat(status().total()).extracting(Row::events).containsExactly(3L);
    pass(9);
    recorded.merge("x", "route", "b", 2000, 5_000_000);
    recorded.merge("x", "route", "a", 2000, 1_000_000); // after the last evaluation, too
    pass(9);
    recorded.merge("x", "route", "b", 3000, 1_000_000);
    pass(5);

    SlaStatus one = status();

    assertThat(one.series()).containsExactly("x{route=\"b\"}");
    assertThat(one.total()).extracting(Row::events).containsExactly(6L);
    assertThat(one.total()).extracting(Row::good).containsExactly(4L);
    assertThat(history.intervals()).isEqualTo(3);
    pass(10);
    SlaStatus none = status();
    assertThat(none.trouble()).isEqualTo("no series matches the selector");
    assertThat(none.counted()).isTrue();
    assertThat(none.total()).extracting(Row::events).containsExactly(6L);
    assertThat(history.usedBytes()).isZero();
    recorded.merge("x", "route", "a", 4000, 1_000_000); // begins anew, from 0
    assertThat(status().total()).extracting(Row::events).containsExactly(7L);
    assertThat(status().total()).extracting(Row::good).containsExactly(5L);
  }
}
