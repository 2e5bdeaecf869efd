package io.hdrsidecar.sidecar.sla;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.HandTurnedClock;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged about rules: each change once, however long it lasts. */
class SlaLogTest {
  private final HandTurnedClock clock = new HandTurnedClock();
  private final SeriesStore store =
      new SeriesStore(new MergeConfig(10, 4, 100_000, WindowSpec.parseList("10s")), clock, clock);
  private final Recorded recorded = new Recorded(store);
  private final SlaEvaluator evaluator = new SlaEvaluator(store, clock);
  private final List<String> said = new ArrayList<>();
  private final Logger logger = Logger.getLogger(RuleState.class.getName());
  private final Handler listener =
      new Handler() {
        @Override
        public void publish(LogRecord log) {
          String text = MessageFormat.format(log.getMessage(), log.getParameters());
          if (text.startsWith("event=sla_broken") || text.startsWith("event=sla_met")) {
            said.add(log.getLevel() + " " + text);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() throws Exception {
    logger.addHandler(listener);
    evaluator.use(
        SlaFile.parse(
            "slas: [{name: pay, selector: pay, limits: {50%: 20ms, 100%: 1h}}]", "test", null));
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(listener);
  }

  private void secondsLater(long seconds, long... values) throws Exception {
    clock.advance(Duration.ofSeconds(seconds));
    store.advanceWindows();
    if (values.length > 0) {
      recorded.merge("pay", "route", "a", clock.millis(), values);
    }
    evaluator.evaluate();
  }

  @Test
  void evaluate_metFromTheBeginning_saysNothing() throws Exception {
    secondsLater(1, 1_000_000);
    secondsLater(1, 1_000_000);

    assertThat(said).isEmpty();
  }

  @Test
  void evaluate_brokenForLong_saysItOnceAndItsEndOnce() throws Exception {
    secondsLater(1, 30_000_000);
    secondsLater(1, 30_000_000);
    secondsLater(3);
    String broken =
        "WARNING event=sla_broken sla=pay window=10s percentile=50% limit=20ms actual=30ms";
    assertThat(said).containsExactly(broken);

    secondsLater(20); // Nothing in the window: neither met nor broken.
    secondsLater(1, 30_000_000);
    assertThat(said).containsExactly(broken);

    secondsLater(20, 1_000_000);
    secondsLater(1, 1_000_000);
    assertThat(said)
        .containsExactly(
            broken, "INFO event=sla_met sla=pay window=10s percentile=50% limit=20ms actual=1ms");
  }
}
