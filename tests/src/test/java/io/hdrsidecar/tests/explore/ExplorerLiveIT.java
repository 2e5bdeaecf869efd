package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.time.Duration;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The explorer while a real client records values that this test knows. */
final class ExplorerLiveIT {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final Duration FLUSH = Duration.ofSeconds(60);

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final SplittableRandom random = new SplittableRandom(11);
  private final Histogram recorded = new Histogram(1, HIGHEST, 3);

  private void record(LatencyRecorder recorder, int values) {
    for (int i = 0; i < values; i++) {
      long nanos = (long) (5e6 * Math.exp(random.nextGaussian()));
      recorder.record(nanos);
      recorded.recordValue(nanos);
    }
  }

  @Test
  void distribution_ofAClient_isThatOfEveryValueItRecorded() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    long before = System.currentTimeMillis();
    try (HdrSidecarClient client = client(sidecar)) {
      record(client.recorder("calls", Labels.empty()), 100_000);
      assertThat(client.close(FLUSH).deliveredAll()).isTrue();
    }
    long start = before / 1000 * 1000 - 5_000;
    long end = System.currentTimeMillis() / 1000 * 1000 + 5_000;
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());

    explorer.open(link("s", "calls", "start", Explorer.time(start), "end", Explorer.time(end)));

    explorer.awaitCount(recorded.getTotalCount());
    explorer
        .percentiles(0)
        .forEach(
            (percentile, value) -> {
              double p = Double.parseDouble(percentile);
              long expected = p == 100 ? exactMax(sidecar) : recorded.getValueAtPercentile(p);
              assertThat(value).as("p%s", percentile).isEqualTo(expected);
            });
  }

  /** The sidecar knows the maximum itself, not only its bucket. */
  private long exactMax(SidecarProcess sidecar) {
    try {
      long max = sidecar.total("calls", "").getLong("max");
      assertThat(recorded.valuesAreEquivalent(max, recorded.getMaxValue())).isTrue();
      return max;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void live_whileAClientRecords_goesOnByItself() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    try (HdrSidecarClient client = client(sidecar)) {
      LatencyRecorder recorder = client.recorder("calls", Labels.empty());
      record(recorder, 100);
      Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
      explorer.open("").awaitRows(1);
      explorer.openSeries("calls");
      explorer.find("live-toggle").click();
      explorer.awaitParameter("live");
      explorer.find("chart-time").locator("xpath=..").locator("summary").click();
      Locator rows = explorer.find("steps-table").locator("tr[data-start]");
      rows.first().waitFor();

      int already = rows.count();
      explorer
          .page()
          .waitForCondition(
              () -> {
                record(recorder, 100);
                return rows.count() >= already + 3;
              });

      assertThat(client.close(FLUSH).deliveredAll()).isTrue();
      explorer.find("live-toggle").click();
      explorer.page().waitForCondition(() -> explorer.parameter("live").isEmpty());
      // The page ends its range at what it takes for the sidecar's time, which may lag a second.
      String all = Long.toString(recorded.getTotalCount());
      Locator count = explorer.find("count").first();
      Locator busy = explorer.page().locator("[aria-busy=true]");
      explorer
          .page()
          .waitForCondition(
              () -> {
                boolean there = all.equals(count.getAttribute("data-value"));
                if (!there && busy.count() == 0) {
                  explorer.find("refresh").click();
                }
                return there;
              });
    }
  }

  private static HdrSidecarClient client(SidecarProcess sidecar) {
    return HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build());
  }
}
