package io.hdrsidecar.tests.explore;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.hdrsidecar.tests.explore.Explorer.link;
import static io.hdrsidecar.tests.explore.Explorer.time;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The explorer on a running {@code demo}. */
final class ExplorerDemoIT {
  private static final String SERVICE = "demo_call{kind=\"service\"}";
  private static final String RESPONSE = "demo_call{kind=\"response\"}";
  private static final long HOUR = 3_600_000;
  private static final Pattern EXPLORER_URL = Pattern.compile("^explorer: (http://\\S+)/$");
  private static final Pattern CALLS_MADE = Pattern.compile("^ +calls made +(\\d+) +(\\d+)$");

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private JavaProcess demo(String... options) {
    List<String> ports = List.of("demo", "--http-port=0", "--ingest-port=0", "--seed=1");
    return processes.start(Stream.concat(ports.stream(), Stream.of(options)).toList());
  }

  private static Explorer explorer(JavaProcess demo) throws InterruptedException {
    Explorer explorer = CHROMIUM.explorer(URI.create(demo.awaitLine(EXPLORER_URL).group(1)));
    // The page may ask while the demo comes to its end.
    explorer.watch().expect("net::ERR_(CONNECTION_|EMPTY_RESPONSE|INCOMPLETE)");
    return explorer;
  }

  private static long callsMade(JavaProcess demo) throws InterruptedException {
    return Long.parseLong(demo.awaitLine(CALLS_MADE).group(1));
  }

  @Test
  void demo_whileItRuns_showsServiceBesideResponseAsTheApiHasThem() throws Exception {
    long start = System.currentTimeMillis() / 1000 * 1000 - 5_000;
    JavaProcess demo = demo("--rate=200", "--threads=10");
    Explorer explorer = explorer(demo);
    explorer.open("");
    assertThat(explorer.row(SERVICE)).isVisible();
    assertThat(explorer.row(RESPONSE)).isVisible();
    explorer.page().waitForCondition(() -> count(explorer, SERVICE, start, start + HOUR) >= 600);
    // Intervals come in order: with one of later, all of a range that has passed are there.
    long end = System.currentTimeMillis() / 1000 * 1000;
    long later = end + 3_000;
    for (String each : List.of(SERVICE, RESPONSE)) {
      explorer.page().waitForCondition(() -> count(explorer, each, later, later + HOUR) > 0);
    }
    for (String each : List.of(SERVICE, RESPONSE)) {
      explorer.row(each).getByRole(AriaRole.CHECKBOX).check();
    }
    explorer.find("open-selected").click();
    explorer.find("chart-distribution").waitFor();
    assertThat(explorer.find("live-toggle")).isVisible();

    explorer.open(link("s", SERVICE, "s", RESPONSE, "start", time(start), "end", time(end)));

    long calls = count(explorer, SERVICE, start, end);
    Map<String, Long> service = Numbers.assertAsByApi(explorer, 0, SERVICE, start, end, calls);
    long responses = count(explorer, RESPONSE, start, end);
    Map<String, Long> response =
        Numbers.assertAsByApi(explorer, 1, RESPONSE, start, end, responses);
    assertThat(service).containsKeys("90", "99");
    assertThat(response.get("50")).isGreaterThanOrEqualTo(service.get("50"));
    explorer.awaitRatios();
    explorer.awaitIdle();
    explorer.picture("demo-both");
    demo.interrupt();
    demo.awaitExit();
    assertThat(callsMade(demo)).as("%s", demo).isGreaterThan(calls).isGreaterThan(responses);
  }

  private static long count(Explorer explorer, String selector, long start, long end) {
    return explorer
        .histogram(selector, "&start=" + time(start) + "&end=" + time(end))
        .getLong("count");
  }

  /**
   * Calls of 40 s on 20 threads: for most of that time each thread has ended one and is in its
   * second, which is its last. So the page shows all calls that have been made, and the demo makes
   * as many again. A page of both series, opened once, has that time on a busy machine, too.
   */
  @Test
  void demo_withEveryThreadInItsLastCall_showsAllCallsMadeBefore() throws Exception {
    int threads = 20;
    JavaProcess demo =
        demo("--rate=20", "--threads=" + threads, "--service=fixed:40s", "--duration=45s");
    Explorer explorer = explorer(demo);
    explorer.open("");
    for (String each : List.of(SERVICE, RESPONSE)) {
      explorer.row(each).waitFor();
    }

    explorer.open(link("s", SERVICE, "s", RESPONSE));
    for (int line = 0; line < 2; line++) {
      awaitCountAskingAgain(explorer, line, threads);
      assertThat(explorer.percentiles(line).get("50")).isGreaterThanOrEqualTo(40_000_000_000L);
    }
    explorer.picture("demo-last-calls");

    assertThat(demo.awaitExit()).as("%s", demo).isZero();
    assertThat(callsMade(demo)).isEqualTo(2L * threads);
    explorer.notes().add("the demo made " + 2 * threads + " calls, half of them after that");
  }

  private static void awaitCountAskingAgain(Explorer explorer, int line, long expected) {
    Locator count = explorer.find("count").nth(line);
    Locator busy = explorer.page().locator("[aria-busy=true]");
    explorer
        .page()
        .waitForCondition(
            () -> {
              boolean there =
                  count.count() > 0
                      && Long.toString(expected).equals(count.getAttribute("data-value"));
              if (!there && busy.count() == 0) {
                explorer.find("refresh").click();
              }
              return there;
            });
  }
}
