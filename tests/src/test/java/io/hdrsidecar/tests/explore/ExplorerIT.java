package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static io.hdrsidecar.tests.explore.Explorer.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.ElementHandle;
import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ViewportSize;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a person does with the explorer, on three series of ten minutes of which every value is
 * known.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // All ask one sidecar.
final class ExplorerIT {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();
  private static final int LENGTH = 600;

  @RegisterExtension final Processes processes = new Processes();

  private final long origin = KnownSeries.originOf(LENGTH);
  private final KnownSeries pay = series("checkout", "/pay", 1, s -> s < 300 ? 4e6 : 12e6);
  private final KnownSeries basket = series("checkout", "/basket", 2, s -> 2e6 + 5e3 * s);
  private final KnownSeries search = series("search", "/find", 3, s -> 20e6);
  private final Path folder;
  private SidecarProcess sidecar;
  private Explorer explorer;

  ExplorerIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private KnownSeries series(String name, String route, long seed, KnownSeries.Shape shape) {
    return new KnownSeries(name, Map.of("route", route), origin, LENGTH, 40, seed, shape);
  }

  @BeforeAll
  void start() throws Exception {
    sidecar = processes.sidecar(0, "--self-hiccups=off");
    for (KnownSeries each : List.of(pay, basket, search)) {
      each.upload(sidecar, folder);
    }
  }

  @BeforeEach
  void explorer() {
    explorer = CHROMIUM.explorer(sidecar.httpPort());
  }

  /** The whole ten minutes of one series. */
  private String wholeOf(KnownSeries series) {
    return link(
        "s",
        series.selector(),
        "start",
        time(series.startMillis()),
        "end",
        time(series.endMillis()));
  }

  private void assertShown(int line, KnownSeries series, long start, long end) {
    Numbers.assertShown(explorer, line, series.selector(), start, end, series.between(start, end));
  }

  private long[] selected() {
    return explorer.selected();
  }

  @Test
  void search_partOfALabel_leavesTheSeriesThatHaveIt() {
    explorer.open("").awaitRows(3);

    explorer.search("pay");

    explorer.awaitRows(1);
    assertThat(explorer.row(pay.selector()).isVisible()).isTrue();
    explorer.search("checkout{route=~\".*\"}");
    explorer.awaitRows(2);
    explorer.search("no such thing");
    explorer.find("empty-state").waitFor();
    explorer.search("");
    explorer.awaitRows(3);
  }

  @Test
  void open_seriesFromTheList_showsItsDistribution() throws Exception {
    explorer.open("").awaitRows(3);

    explorer.openSeries(pay.selector());

    assertShown(0, pay, pay.startMillis(), pay.endMillis());
    assertThat(explorer.parameter("s")).containsExactly(pay.selector());
    explorer.find("chart-time").waitFor();
    explorer.find("chart-heatmap").waitFor();
  }

  @Test
  void drag_overTime_showsExactlyThatRange() throws Exception {
    explorer.open(wholeOf(pay));
    assertShown(0, pay, pay.startMillis(), pay.endMillis());

    explorer.drag("chart-time", 0.25, 0.4);

    explorer.awaitParameter("sel");
    long[] range = selected();
    // Whole seconds next to where the pointer was; one pixel is less than a second here.
    assertThat(range[0]).isCloseTo(origin + 150_000, within(2000L));
    assertThat(range[1]).isCloseTo(origin + 240_000, within(2000L));
    assertShown(0, pay, range[0], range[1]);
    explorer.page().goBack();
    assertShown(0, pay, pay.startMillis(), pay.endMillis());
    explorer.page().goForward();
    assertShown(0, pay, range[0], range[1]);
  }

  @Test
  void drag_chartsAreMadeAnewMeanwhile_isNotLost() throws Exception {
    explorer.open(wholeOf(pay));
    assertShown(0, pay, pay.startMillis(), pay.endMillis());

    explorer.drag("chart-time", 0.25, 0.4, this::makeChartsAnew);

    explorer.awaitParameter("sel");
    long[] range = selected();
    assertThat(range[0]).isCloseTo(origin + 150_000, within(2000L));
    assertThat(range[1]).isCloseTo(origin + 240_000, within(2000L));
    assertShown(0, pay, range[0], range[1]);
  }

  /** As at night, when the colours change: a chart is drawn with new ones at its next size. */
  private void makeChartsAnew() {
    ElementHandle old = explorer.find("chart-time").locator(".u-over").elementHandle();
    explorer.page().evaluate("document.dispatchEvent(new Event('theme'))");
    ViewportSize size = explorer.page().viewportSize();
    explorer.page().setViewportSize(size.width - 40, size.height);
    explorer.page().waitForCondition(() -> !(Boolean) old.evaluate("e => e.isConnected"));
  }

  @Test
  void drag_overTheHeatMap_showsExactlyThatRange() throws Exception {
    explorer.open(wholeOf(basket));
    explorer.awaitCount(basket.all().getTotalCount());

    explorer.drag("chart-heatmap", 0.8, 0.5);

    explorer.awaitParameter("sel");
    long[] range = selected();
    assertThat(range[0]).isLessThan(range[1]);
    assertShown(0, basket, range[0], range[1]);
  }

  @Test
  void pin_beforeAndAfterADeploy_comparesPercentileByPercentile() throws Exception {
    explorer.open(wholeOf(pay));
    explorer.awaitCount(pay.all().getTotalCount());
    explorer.drag("chart-time", 0.1, 0.45);
    explorer.awaitParameter("sel");
    long[] before = selected();
    assertShown(0, pay, before[0], before[1]);
    explorer.find("pin").click();
    explorer.awaitParameter("pin");

    explorer.drag("chart-time", 0.55, 0.9);

    explorer.page().waitForCondition(() -> selected()[0] > before[1]);
    long[] after = selected();
    assertShown(0, pay, after[0], after[1]);
    assertShown(1, pay, before[0], before[1]);
    explorer.find("compare-table").waitFor();
    // What is pinned is what the others are held against.
    assertThat(explorer.find("compare-table").locator("th.ratio").allTextContents())
        .containsExactly("A / B");
    assertRatios(pay.between(after[0], after[1]), pay.between(before[0], before[1]));
  }

  @Test
  void open_twoSeries_comparesThem() throws Exception {
    explorer.open("").awaitRows(3);
    for (KnownSeries each : List.of(pay, search)) {
      explorer.row(each.selector()).getByRole(AriaRole.CHECKBOX).check();
    }

    explorer.find("open-selected").click();

    assertThat(explorer.parameter("s")).containsExactly(pay.selector(), search.selector());
    assertShown(0, pay, pay.startMillis(), pay.endMillis());
    assertShown(1, search, search.startMillis(), search.endMillis());
    assertThat(explorer.find("compare-table").locator("th.ratio").allTextContents())
        .containsExactly("B / A");
    assertRatios(search.all(), pay.all());
  }

  /** Values of a line over those of the base, as HdrHistogram has them. */
  private void assertRatios(Histogram line, Histogram base) {
    explorer.awaitRatios();
    Map<String, Double> ratios = explorer.ratios();
    assertThat(ratios).containsKeys("50", "99", "100");
    ratios.forEach(
        (percentile, ratio) -> {
          double p = Double.parseDouble(percentile);
          double expected = (double) line.getValueAtPercentile(p) / base.getValueAtPercentile(p);
          assertThat(ratio).as("p%s", percentile).isCloseTo(expected, within(1e-9));
        });
  }

  @Test
  void link_toARangeWithAPinAndAUnit_showsTheSameElsewhere() throws Exception {
    explorer.open(wholeOf(basket));
    explorer.awaitCount(basket.all().getTotalCount());
    explorer.drag("chart-time", 0.2, 0.3);
    explorer.awaitParameter("sel");
    explorer.find("pin").click();
    explorer.awaitParameter("pin");
    explorer.drag("chart-time", 0.6, 0.7);
    explorer.find("unit-select").selectOption("us");
    explorer.find("scale-toggle").click();
    explorer.awaitParameter("y");
    explorer.awaitRatios();
    long[] range = selected();
    assertShown(0, basket, range[0], range[1]);
    Map<String, Long> pinned = explorer.percentiles(1);
    String link = "?" + explorer.address().split("\\?", 2)[1];
    String text = explorer.find("percentile-table").textContent();

    explorer = CHROMIUM.explorer(sidecar.httpPort()).open(link);

    assertShown(0, basket, range[0], range[1]);
    explorer.awaitRatios();
    assertThat(explorer.percentiles(1)).isEqualTo(pinned);
    assertThat(explorer.find("percentile-table").textContent()).isEqualTo(text).contains("µs");
    assertThat("?" + explorer.address().split("\\?", 2)[1]).isEqualTo(link);
  }

  @Test
  void keyboard_alone_searchesOpensSelectsAndClears() throws Exception {
    explorer.open("").awaitRows(3);
    Keyboard keys = explorer.page().keyboard();

    keys.press("/");
    keys.type("basket");
    explorer.awaitRows(1);
    keys.press("ArrowDown");
    keys.press("Enter");
    assertShown(0, basket, basket.startMillis(), basket.endMillis());

    explorer.open(wholeOf(basket)); // of which the last tenth is full
    Locator chart = explorer.find("chart-time");
    for (int i = 0; i < 60 && !isFocused(chart); i++) {
      keys.press("Tab");
    }
    assertThat(isFocused(chart)).as("reached with the tabulator").isTrue();
    keys.press("ArrowLeft"); // once: a second one may be in the address a moment later
    explorer.awaitParameter("sel");
    long[] range = selected();
    assertShown(0, basket, range[0], range[1]);
    keys.press("Escape");
    assertShown(0, basket, basket.startMillis(), basket.endMillis());
  }

  private static boolean isFocused(Locator element) {
    return (Boolean) element.evaluate("element => element === document.activeElement");
  }

  @Test
  void stepsTable_ofTheWholeRange_hasTheNumbersOfEachStep() throws Exception {
    explorer.open(wholeOf(search));
    explorer.awaitCount(search.all().getTotalCount());

    explorer.find("chart-time").locator("xpath=..").locator("summary").click();

    Locator rows = explorer.find("steps-table").locator("tr[data-start]");
    rows.first().waitFor();
    explorer.page().waitForCondition(() -> rows.count() > 1);
    long step = Math.subtractExact(startOf(rows.nth(1)), startOf(rows.first()));
    long sum = 0;
    for (Locator row : rows.all()) {
      long start = startOf(row);
      Histogram expected = search.between(start, start + step);
      List<Locator> cells = row.locator("td[data-value]").all();
      List<Double> percentiles = List.of(50.0, 90.0, 99.0, 99.9, 100.0);
      assertThat(cells).hasSize(percentiles.size());
      for (int i = 0; i < cells.size(); i++) {
        assertThat(cells.get(i).getAttribute("data-value"))
            .isEqualTo(Long.toString(expected.getValueAtPercentile(percentiles.get(i))));
      }
      sum += Long.parseLong(row.locator("td[data-count]").getAttribute("data-count"));
    }
    assertThat(sum).isEqualTo(search.all().getTotalCount());
  }

  @Test
  void stepsTable_openedBeforeTheAnswer_isFilledWhenItComes() {
    List<Route> held = new ArrayList<>();
    explorer.page().route("**/api/v1/percentiles*", held::add);
    explorer.open(wholeOf(search));
    Locator table = explorer.find("chart-time").locator("xpath=..");
    table.locator("summary").click();
    explorer.page().waitForCondition(() -> !held.isEmpty());
    assertThat(explorer.find("steps-table").locator("tr[data-start]").count()).isZero();

    explorer.page().unroute("**/api/v1/percentiles*");
    held.forEach(Route::resume);

    explorer.find("steps-table").locator("tr[data-start]").first().waitFor();
  }

  private static long startOf(Locator row) {
    return Instant.parse(row.getAttribute("data-start")).toEpochMilli();
  }
}
