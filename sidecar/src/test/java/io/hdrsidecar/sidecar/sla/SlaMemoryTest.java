package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.sla.SlaStatus.WindowStatus;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a rule while there is no memory for windows. */
class SlaMemoryTest {
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(1000, 4, 100_000, WindowSpec.parseList("10s"), 2048, IDLE, 300_000),
          clock,
          clock);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock);

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.advance(Duration.ofSeconds(1));
      store.expireIdle();
      store.advanceWindows();
    }
  }

  private void record(String route) throws Exception {
    recorded.merge("x", "route", route, clock.millis(), 1_000_000, 7_000_000, 300_000_000);
  }

  private SlaStatus status() {
    evaluator.evaluate();
    return evaluator.statuses().get(0);
  }

  private void useRule() throws Exception {
    String yaml = "slas: [{name: x, selector: x, limits: {50%: 8ms, 100%: 1s}}]";
    evaluator.use(SlaFile.parse(yaml, "test", null));
  }

  @Test
  void evaluate_windowsOfSomeSeriesAreGivenUp_isNotJudgedAndCountsOn() throws Exception {
    useRule();
    record("0");
    assertThat(status().trouble()).isEmpty();

    for (int i = 1; i < 100; i++) {
      record(Integer.toString(i));
    }

    assertThat(store.memory().seriesWithoutWindows()).isPositive();
    SlaStatus status = status();
    assertThat(status.trouble()).contains("windows of some series are not whole");
    assertThat(status.windows()).extracting(WindowStatus::rows).containsOnly(List.of());
    assertThat(status.total()).extracting(Row::events).containsOnly(300L);
  }

  @Test
  void evaluate_thereIsRoomAgain_isJudgedOnceAWholeSpanHasGoneBy() throws Exception {
    useRule();
    for (int i = 0; i < 100; i++) {
      record(Integer.toString(i));
    }
    for (int second = 0; second < 2 * IDLE.toSeconds(); second++) {
      pass(1);
      record("0"); // All others are idle, and end.
      if (!status().trouble().isEmpty()) {
        assertThat(status().windows().get(0).rows()).isEmpty();
      }
    }

    assertThat(store.livingSeries()).hasSize(1);
    SlaStatus status = status();
    assertThat(status.trouble()).isEmpty();
    // Ten whole seconds, and the one that has begun.
    assertThat(status.windows().get(0).rows()).extracting(Row::events).containsOnly(33L);
  }

  /** What has long been silent has nothing in its windows, whatever was given up. */
  @Test
  void evaluate_seriesWithoutWindowsAreSilent_isJudgedWithoutThem() throws Exception {
    useRule();
    for (int i = 0; i < 100; i++) {
      record(Integer.toString(i));
    }
    assertThat(status().trouble()).isNotEmpty();

    pass(14); // The span and two steps and more; not yet the end of the series.

    assertThat(store.livingSeries()).hasSizeGreaterThan(10);
    assertThat(status().trouble()).isEmpty();
  }

  /** Its windows begin anew, or go on without it: either way they lack what comes now. */
  @Test
  void evaluate_oneThatWasSilentComesAgain_isNotJudgedUntilItsWindowsAreWhole() throws Exception {
    useRule();
    for (int i = 0; i < 100; i++) {
      record(Integer.toString(i));
    }
    pass(30);
    assertThat(status().trouble()).isEmpty();
    record("0"); // There is no room yet.
    assertThat(status().trouble()).contains("not whole");

    pass(40); // All others have ended, and it has long been silent.
    assertThat(store.livingSeries()).hasSize(1);
    assertThat(status().trouble()).isEmpty();
    record("0"); // Its windows begin anew, and do not show it before a span has gone by.
    assertThat(store.memory().seriesWithoutWindows()).isZero();
    assertThat(status().trouble()).contains("not whole");
  }
}
