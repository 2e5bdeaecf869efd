package io.hdrsidecar.tests.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.alerts.AlertLog.Expected;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Troubles of every kind at once, and their end, under the rules that are shipped: which alert
 * fired and resolved at which second is printed, and is in {@code target/alerts.txt}.
 *
 * <p>{@code -Dhdr.alerts.factor} is what all durations of the rules are divided by, 60 by default;
 * with 1 the rules are as they are shipped, and it takes an hour or two.
 */
@RequiresDocker
final class AlertStoryIT {
  static final List<Path> RULES =
      List.of(
          Path.of("../dashboards/prometheus/hdr-sidecar-rules.yaml"),
          Path.of("../dashboards/prometheus/hdr-sidecar-inject-rules.yaml"));

  private static final int FACTOR = Integer.getInteger("hdr.alerts.factor", 60);

  /** For one thing to happen; so long that only a fault reaches it, also on a busy machine. */
  private static final Duration PATIENCE =
      Duration.ofMinutes(2).plus(Duration.ofHours(2).dividedBy(FACTOR));

  private static final List<Expected> EXPECTED =
      List.of(
          new Expected("HdrSlaBroken", "pod=\"shop-a\""),
          new Expected("HdrSlaBudgetBurnsFast", "long=\"1h\""),
          new Expected("HdrSlaBudgetBurnsFast", "long=\"6h\""),
          new Expected("HdrSidecarDown", "pod=\"shop-b\""),
          new Expected("HdrMemoryPressure", "pod=\"shop-c\""),
          new Expected("HdrConfigReloadFailed", "pod=\"shop-d\""),
          new Expected("HdrInjectCertificateExpires", "job=\"hdr-sidecar-inject\""));

  /** All answer, both rules are met, and nothing fires. */
  private static final String WELL =
      "count(up == 1) == 5 and on () count(hdr_sla_met == 1) == 2"
          + " unless on () ALERTS{alertstate=\"firing\"}";

  @RegisterExtension final Processes processes = new Processes();
  private final Path folder;

  AlertStoryIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void troubles_andTheirEnd_fireAndResolveTheirAlerts() throws Exception {
    try (TroubledPods pods = new TroubledPods(processes, folder);
        PrometheusServer prometheus =
            PrometheusServer.scrapingJobs(pods.jobs(), FasterRules.of(RULES, FACTOR))) {
      AlertLog log = new AlertLog(prometheus);
      Eventually.holds(() -> assertThat(prometheus.result(WELL)).isNotEmpty());

      Instant begun = Instant.now();
      pods.begin();
      awaitEach("has not fired", alert -> log.hasFired(alert, begun));
      Instant ended = Instant.now();
      pods.end();
      awaitEach("has not resolved", alert -> !log.fires(alert));

      String table = log.table(begun, ended);
      String head = "Alerts, with every duration of the rules divided by %d:%n".formatted(FACTOR);
      System.out.println(head + table);
      Files.writeString(Path.of("target/alerts.txt"), head + table);
      assertThat(table)
          .as("none of these troubles loses a value")
          .doesNotContain("HdrIntervalsLost");
    }
  }

  @FunctionalInterface
  private interface Condition {
    boolean isTrueOf(Expected alert) throws Exception;
  }

  private static void awaitEach(String otherwise, Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (Expected alert : EXPECTED) {
      while (!condition.isTrueOf(alert)) {
        assertThat(System.nanoTime() - deadline).as("%s %s", alert, otherwise).isNegative();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      }
    }
  }
}
