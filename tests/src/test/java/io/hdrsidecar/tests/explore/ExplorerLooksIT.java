package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static io.hdrsidecar.tests.explore.Explorer.time;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page.AddScriptTagOptions;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.ColorScheme;
import io.hdrsidecar.tests.support.NpmPackages;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How the explorer looks: both themes, a phone, weight, accessibility. The pictures it takes go
 * into {@code target/explorer}; some of them are in the README.
 */
final class ExplorerLooksIT {
  private static final int LENGTH = 900;
  private static final int MOST_BYTES = 400_000;
  private static final int INCIDENT = 540;

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  /** Up to now, so that the last minute has something. */
  private final long origin = System.currentTimeMillis() / 1000 * 1000 - LENGTH * 1000L;

  private final KnownSeries pay = series("checkout", "/pay", 1, ExplorerLooksIT::withAnIncident);
  private final List<KnownSeries> all =
      List.of(
          pay,
          series("checkout", "/basket", 2, s -> 1.5e6),
          series("checkout", "/address", 3, s -> 0.8e6),
          series("search", "/find", 4, s -> 18e6 + 6e6 * Math.sin(s / 60.0)),
          series("search", "/suggest", 5, s -> 3e6),
          series("inventory", "/stock", 6, s -> 0.4e6 + 0.4e3 * s),
          series("login", "/token", 7, s -> 60e6));
  private final Path folder;
  private SidecarProcess sidecar;

  ExplorerLooksIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Slow for a minute, and never quite as fast again. */
  private static double withAnIncident(int second) {
    if (second < INCIDENT) {
      return 4e6;
    }
    return second < INCIDENT + 60 ? 60e6 : 6e6;
  }

  private KnownSeries series(String name, String route, long seed, KnownSeries.Shape shape) {
    return new KnownSeries(name, Map.of("route", route), origin, LENGTH, 40, seed, shape);
  }

  @BeforeEach
  void start() throws Exception {
    String rules =
        """
        slas:
          - name: checkout
            selector: checkout{route="/pay"}
            windows: [1m]
            limits: {50%: 10ms, 99%: 100ms, 99.9%: 500ms, 100%: 10s}
          - name: login
            selector: login
            windows: [1m]
            limits: {50%: 20ms, 99%: 200ms, 100%: 10s}
        """;
    Path file = Files.writeString(folder.resolve("sla.yaml"), rules);
    sidecar = processes.sidecar(0, "--self-hiccups=off", "--sla-file=" + file);
    for (KnownSeries each : all) {
      each.upload(sidecar, folder);
    }
  }

  private String linkTo(KnownSeries series, String... more) {
    String whole =
        link("s", series.selector(), "start", time(origin), "end", time(series.endMillis()));
    return more.length == 0 ? whole : whole + "&" + link(more).substring(1);
  }

  private void awaitCharts(Explorer explorer, long count) {
    explorer.awaitCount(count);
    explorer.find("chart-time").locator("canvas").waitFor();
    explorer.find("chart-heatmap").locator("canvas").waitFor();
    explorer.find("chart-distribution").locator("canvas").waitFor();
    explorer
        .page()
        .waitForCondition(() -> explorer.page().locator("[aria-busy=true]").count() == 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void theme_ofTheSystem_isTakenAndCanBeChanged(ColorScheme scheme) {
    String name = scheme.name().toLowerCase(Locale.ROOT);
    Explorer explorer =
        CHROMIUM.explorer(sidecar.httpPort(), Chromium.desk().setColorScheme(scheme));

    explorer.open("").awaitRows(all.size());
    assertThat(isDark(explorer)).isEqualTo(scheme == ColorScheme.DARK);
    explorer.picture("overview-" + name);
    explorer.open(linkTo(pay));
    awaitCharts(explorer, pay.all().getTotalCount());
    explorer.picture("series-" + name);
    explorer.drag("chart-time", 0.61, 0.67);
    explorer.awaitParameter("sel");
    explorer
        .page()
        .waitForCondition(() -> explorer.page().locator("[aria-busy=true]").count() == 0);
    explorer.picture("range-" + name);

    explorer.find("theme-toggle").click();

    assertThat(isDark(explorer)).isEqualTo(scheme != ColorScheme.DARK);
    explorer.awaitParameter("theme");
    explorer.page().reload();
    explorer.find("chart-time").locator("canvas").waitFor();
    assertThat(isDark(explorer)).isEqualTo(scheme != ColorScheme.DARK);
  }

  /** Whether text is lighter than what it stands on. */
  private static boolean isDark(Explorer explorer) {
    return (Boolean)
        explorer
            .page()
            .evaluate(
                """
                () => {
                  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3)
                      .reduce((sum, part) => sum + Number(part), 0);
                  const style = getComputedStyle(document.body);
                  return light(style.color) > light(style.backgroundColor);
                }\
                """);
  }

  @Test
  void compare_beforeAndAfter_isPictured() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      Explorer explorer =
          CHROMIUM.explorer(sidecar.httpPort(), Chromium.desk().setColorScheme(scheme));
      explorer.open(
          linkTo(
              pay,
              "sel",
              time(origin + 610_000) + ".." + time(origin + 890_000),
              "pin",
              pay.selector() + "@" + time(origin + 100_000) + ".." + time(origin + 500_000)));
      awaitCharts(explorer, pay.between(origin + 610_000, origin + 890_000).getTotalCount());
      explorer.awaitRatios();
      explorer.picture(
          "compare-" + scheme.name().toLowerCase(Locale.ROOT),
          explorer.page().locator("section.distribution"));
    }
  }

  @Test
  void phone_listAndSeries_needNoSidewaysScrolling() {
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort(), Chromium.phone());

    explorer.open("").awaitRows(all.size());
    assertThat(explorer.scrollsSideways()).as("list").isFalse();
    explorer.picture("phone-overview");
    explorer.openSeries(pay.selector());
    explorer.open(linkTo(pay)); // the last 15 minutes have gone on by now
    awaitCharts(explorer, pay.all().getTotalCount());
    assertThat(explorer.scrollsSideways()).as("series").isFalse();
    explorer.picture("phone-series");
    explorer.drag("chart-time", 0.2, 0.6);
    explorer.awaitParameter("sel");
    explorer.find("pin").click();
    explorer.awaitRatios();
    assertThat(explorer.scrollsSideways()).as("comparison").isFalse();
  }

  @Test
  void firstView_allItsFiles_weighLessThan400Kilobytes() {
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.open("").awaitRows(all.size());

    Map<String, Integer> bytes =
        explorer.watch().requests().stream()
            .filter(request -> !request.url().contains("/api/"))
            .collect(
                Collectors.toMap(
                    Request::url, // one twice is from memory the second time
                    request -> request.sizes().responseBodySize,
                    Math::max));
    int sum = bytes.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf("explorer: first view loads %d files, %d bytes%n", bytes.size(), sum);
    assertThat(bytes.keySet()).anyMatch(url -> url.endsWith("uPlot.esm.js"));
    assertThat(bytes.values()).doesNotContain(0);
    assertThat(sum).isLessThan(MOST_BYTES);
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void accessibility_ofEachView_hasNoSeriousViolation(ColorScheme scheme) throws Exception {
    Path axe = NpmPackages.folderOf("axe-core").resolve("axe.min.js");
    // The checker is a script of another origin, which the policy is there to refuse.
    NewContextOptions options = Chromium.desk().setColorScheme(scheme).setBypassCSP(true);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort(), options);

    explorer.open("").awaitRows(all.size());
    assertThat(violations(explorer, axe)).as("list").isEmpty();
    explorer.open(
        linkTo(
            pay,
            "pin",
            pay.selector() + "@" + time(origin + 100_000) + ".." + time(origin + 500_000)));
    awaitCharts(explorer, pay.all().getTotalCount());
    explorer.awaitRatios();
    assertThat(violations(explorer, axe)).as("series and comparison").isEmpty();
    explorer.open("?q=nothing-of-that-name");
    explorer.find("empty-state").waitFor();
    assertThat(violations(explorer, axe)).as("empty").isEmpty();
  }

  private static List<?> violations(Explorer explorer, Path axe) {
    explorer.page().addScriptTag(new AddScriptTagOptions().setPath(axe));
    return (List<?>)
        explorer
            .page()
            .evaluate(
                """
                async () => (await axe.run(document)).violations
                    .filter((each) => ['serious', 'critical'].includes(each.impact))
                    .map((each) => `${each.impact}: ${each.id}: ${each.help}: `
                        + each.nodes.map((node) => node.html.slice(0, 200)).join(' | '))\
                """);
  }
}
