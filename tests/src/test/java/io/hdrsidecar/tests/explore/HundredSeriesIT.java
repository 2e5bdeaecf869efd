package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static io.hdrsidecar.tests.explore.Explorer.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * 100 series with an hour of 1 s intervals each: every count is in what the explorer shows. How
 * long that takes is printed, not asserted; {@code tests/benchmarks/RESULTS.md} has it from a run.
 */
final class HundredSeriesIT {
  private static final int SERIES = Integer.getInteger("hdr.explorer.series", 100);
  private static final int LENGTH = 3600;

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void explorer_of100SeriesOverAnHour_showsEveryCount(@TempDir Path folder) throws Exception {
    long origin = System.currentTimeMillis() / 1000 * 1000 - LENGTH * 1000L;
    SidecarProcess sidecar =
        processes.sidecar(0, "--self-hiccups=off", "--history-max-memory=1GiB");
    List<KnownSeries> all = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      Map<String, String> labels = Map.of("route", "/r" + i);
      all.add(new KnownSeries("calls", labels, origin, LENGTH, 12, i, s -> 2e6 + 1e3 * s));
      all.get(i).upload(sidecar, folder);
    }
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer
        .page()
        .addInitScript(
            """
            window.longTasks = [];
            new PerformanceObserver((list) => list.getEntries().forEach((e) => window.longTasks.push(e.duration)))
                .observe({ type: 'longtask', buffered: true });""");

    explorer.open("");
    explorer.find("series-row").first().waitFor();
    double firstView = now(explorer);
    double firstTask = longestTask(explorer);
    explorer.page().getByText(SERIES + " series").first().waitFor();
    String[] ten = new String[24];
    for (int i = 0; i < 10; i++) {
      ten[2 * i] = "s";
      ten[2 * i + 1] = all.get(i).selector();
    }
    List<String> range = List.of("start", time(origin), "end", time(origin + LENGTH * 1000L));
    for (int i = 0; i < 4; i++) {
      ten[20 + i] = range.get(i);
    }
    explorer.open(link(ten));
    for (int i = 0; i < 10; i++) {
      explorer.awaitCount(i, all.get(i).all().getTotalCount());
    }
    double opened = now(explorer);
    explorer
        .page()
        .waitForCondition(() -> explorer.page().locator("[aria-busy=true]").count() == 0);
    explorer.page().evaluate("() => { window.longTasks = []; }");

    explorer.drag("chart-time", 0.2, 0.8);

    explorer.awaitParameter("sel");
    double dragTask = longestTask(explorer);
    String[] times = explorer.parameter("sel").get(0).split("\\.\\.", -1);
    long start = Instant.parse(times[0]).toEpochMilli();
    long end = Instant.parse(times[1]).toEpochMilli();
    for (int i = 0; i < 10; i++) {
      explorer.awaitCount(i, all.get(i).between(start, end).getTotalCount());
    }
    assertThat(end - start).isGreaterThan(30 * 60_000);
    double afterDrag = longestTask(explorer);
    assertThatLongTasksAreSeen(explorer);
    System.out.printf(
        "explorer: %d series x %d s, Chromium %s: first row after %.0f ms (longest task %.0f ms),"
            + " 10 series open after %.0f ms, longest task of a drag %.0f ms, after it %.0f ms%n",
        SERIES, LENGTH, CHROMIUM.version(), firstView, firstTask, opened, dragTask, afterDrag);
  }

  /** A figure of 0 means something only if the browser would have told of more. */
  private static void assertThatLongTasksAreSeen(Explorer explorer) {
    explorer
        .page()
        .evaluate(
            """
            () => setTimeout(() => {
              const end = performance.now() + 200;
              while (performance.now() < end);
            })""");
    explorer.page().waitForCondition(() -> longestTask(explorer) >= 200);
  }

  /** Milliseconds since the navigation began, by the browser's clock. */
  private static double now(Explorer explorer) {
    return ((Number) explorer.page().evaluate("() => performance.now()")).doubleValue();
  }

  /** Milliseconds of the longest task of 50 ms or more; 0 when there was none. */
  private static double longestTask(Explorer explorer) {
    return ((Number) explorer.page().evaluate("() => Math.max(0, ...window.longTasks)"))
        .doubleValue();
  }
}
