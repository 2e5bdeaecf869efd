package io.hdrsidecar.tests.explore;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasAttributeOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The explorer as somebody uses it. Everything is found by its {@code data-testid}, numbers are
 * read from {@code data-value}, in the unit of the series, and all waiting is for a condition.
 */
final class Explorer {
  private static final String TWO_FRAMES =
      "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

  /** Left end, width and middle of the height of where a chart is drawn, once it can be seen. */
  private static final String BOX =
      """
      chart => {
        const over = chart.querySelector('.u-over');
        over.scrollIntoView({ block: 'nearest' });
        const box = over.getBoundingClientRect();
        return [box.x, box.width, box.y + box.height / 2];
      }
      """;

  private final String origin;
  private final Page page;
  private final PageWatch watch;
  private final PageNotes notes;

  Explorer(String origin, Page page, PageWatch watch, PageNotes notes) {
    this.origin = origin;
    this.page = page;
    this.watch = watch;
    this.notes = notes;
  }

  Page page() {
    return page;
  }

  PageWatch watch() {
    return watch;
  }

  PageNotes notes() {
    return notes;
  }

  /**
   * Opens an address.
   *
   * @param query empty, or {@code ?...} as {@link #link} makes it
   */
  Explorer open(String query) {
    do {
      page.navigate(origin + "/" + query);
    } while (watch.hasLostWatcher()); // a person would press reload as well
    notes.add("opened " + origin + "/" + query);
    return this;
  }

  /** A query: keys and values in turn. */
  static String link(String... keysAndValues) {
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      query
          .append(i == 0 ? '?' : '&')
          .append(keysAndValues[i])
          .append('=')
          .append(URLEncoder.encode(keysAndValues[i + 1], StandardCharsets.UTF_8));
    }
    return query.toString();
  }

  /** A time as the API and the address have it. */
  static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  Locator find(String testId) {
    return page.getByTestId(testId);
  }

  /** The row of a series in the list. */
  Locator row(String selector) {
    return page.locator("[data-testid=series-row]")
        .and(page.locator("[data-selector=" + quoted(selector) + "]"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  void search(String text) {
    notes.add("searched " + text);
    find("search").fill(text);
  }

  void awaitRows(int count) {
    HasCountOptions options = new HasCountOptions().setTimeout(Chromium.PATIENCE_MILLIS);
    try {
      assertThat(find("series-row")).hasCount(count, options);
    } catch (AssertionError e) {
      String text = page.locator("body").innerText();
      if (!watch.hasLostWatcher()) {
        throw new AssertionError(e.getMessage() + "\nThe page says: " + text, e);
      }
      page.reload(); // As in open: the page had loaded itself again, when the network changed.
      assertThat(find("series-row")).hasCount(count, options);
    }
    notes.add("the list has " + count + " series");
  }

  /** Opens one series from the list. */
  void openSeries(String selector) {
    row(selector).getByTestId("open-series").click();
    find("chart-distribution").waitFor();
    notes.add("opened the series " + selector);
  }

  /** Waits until the distribution is that of so many values: the first line, or the one given. */
  void awaitCount(int line, long count) {
    assertThat(find("count").nth(line))
        .hasAttribute(
            "data-value",
            Long.toString(count),
            new HasAttributeOptions().setTimeout(Chromium.PATIENCE_MILLIS));
    notes.add("line " + (line + 1) + " counts " + count + " values");
  }

  void awaitCount(long count) {
    awaitCount(0, count);
  }

  /** Values of a line by percentile, as the table shows them. */
  Map<String, Long> percentiles(int line) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (Locator row : find("percentile-table").locator("tr[data-percentile]").all()) {
      Locator cell = row.locator("td[data-value]").nth(line);
      values.put(
          Objects.requireNonNull(row.getAttribute("data-percentile")),
          Long.parseLong(Objects.requireNonNull(cell.getAttribute("data-value"))));
    }
    return values;
  }

  /** Ratios of a line to the base by percentile. */
  Map<String, Double> ratios() {
    Map<String, Double> values = new LinkedHashMap<>();
    for (Locator row : find("percentile-table").locator("tr[data-percentile]").all()) {
      Locator cell = row.locator("td[data-ratio]").first();
      values.put(
          Objects.requireNonNull(row.getAttribute("data-percentile")),
          Double.parseDouble(Objects.requireNonNull(cell.getAttribute("data-ratio"))));
    }
    return values;
  }

  /** Waits until every ratio is there. */
  void awaitRatios() {
    assertThat(find("percentile-table").locator("td[data-ratio='']"))
        .hasCount(0, new HasCountOptions().setTimeout(Chromium.PATIENCE_MILLIS));
  }

  private static double number(Object any) {
    return ((Number) any).doubleValue();
  }

  /** Drags over a chart, from one part of its width to another; 0 is its left end, 1 its right. */
  void drag(String chart, double from, double to) {
    drag(chart, from, to, () -> {});
  }

  /** The same, and something else happens in the middle of it. */
  void drag(String chart, double from, double to, Runnable halfway) {
    // A chart is made anew when its answer comes, and drawn a frame later.
    find(chart).locator(".u-over").waitFor();
    awaitIdle();
    page.evaluate(TWO_FRAMES);
    List<Double> box =
        ((List<?>) find(chart).evaluate(BOX)).stream().map(Explorer::number).toList();
    double left = box.get(0);
    double width = box.get(1);
    double y = box.get(2);
    page.mouse().move(left + from * width, y);
    page.mouse().down();
    for (int step = 1; step <= 10; step++) {
      page.mouse().move(left + (from + (to - from) * step / 10) * width, y);
      if (step == 5) {
        halfway.run();
      }
    }
    page.mouse().up();
    notes.add("dragged over " + chart + " from " + from + " to " + to + " of its width");
  }

  /** The dragged range, as the address says it: start and end in milliseconds since 1970. */
  long[] selected() {
    String[] times = parameter("sel").get(0).split("\\.\\.", -1);
    return new long[] {
      Instant.parse(times[0]).toEpochMilli(), Instant.parse(times[1]).toEpochMilli()
    };
  }

  /** Waits until every panel has its answer. */
  void awaitIdle() {
    page.waitForCondition(() -> page.locator("[aria-busy=true]").count() == 0);
  }

  /** Makes a click download, and gives what came. */
  byte[] download(Locator button) throws IOException {
    Download download = page.waitForDownload(button::click);
    if (download.failure() != null) {
      throw new AssertionError(download.url() + ": " + download.failure());
    }
    notes.add("downloaded " + download.suggestedFilename());
    Path file = download.path();
    return Files.readAllBytes(file);
  }

  /** Waits until the address has this parameter. */
  void awaitParameter(String key) {
    page.waitForURL(url -> parameters(url).containsKey(key));
  }

  /** The address without the origin. */
  String address() {
    return page.url().substring(origin.length() + 1);
  }

  /** What the address says under a key, every value of it. */
  List<String> parameter(String key) {
    return parameters(page.url()).getOrDefault(key, List.of());
  }

  private static Map<String, List<String>> parameters(String url) {
    Map<String, List<String>> values = new HashMap<>();
    String query = Objects.requireNonNullElse(URI.create(escaped(url)).getRawQuery(), "");
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        values
            .computeIfAbsent(pair.substring(0, equals), key -> new ArrayList<>())
            .add(URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return values;
  }

  /** Browsers leave in an address what a URI of Java may not have. */
  private static String escaped(String url) {
    return url.replace("{", "%7B").replace("}", "%7D").replace("|", "%7C").replace("\"", "%22");
  }

  /** Whether anything is wider than the window. */
  boolean scrollsSideways() {
    return (Boolean)
        page.evaluate(
            "() => document.documentElement.scrollWidth > document.documentElement.clientWidth");
  }

  /**
   * The {@code data} of {@code /api/v1/histogram} of the same sidecar, not through the page.
   *
   * @param parameters further ones; all begin with {@code &}
   */
  JsonObject histogram(String selector, String parameters) {
    String path = "/api/v1/histogram" + link("series", selector) + parameters;
    APIResponse answer = page.request().get(origin + path);
    if (answer.status() != 200) {
      throw new AssertionError(path + " answered " + answer.status() + ": " + answer.text());
    }
    return new JsonObject(answer.text()).getJsonObject("data");
  }

  /** Takes a picture of the window into {@code target/explorer}. */
  void picture(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(fileOf(name)));
  }

  /** The same of one part of the page. */
  void picture(String name, Locator part) {
    part.screenshot(new Locator.ScreenshotOptions().setPath(fileOf(name)));
  }

  private Path fileOf(String picture) {
    String file = picture + ".png";
    notes.addPicture(file);
    return BrowserReport.FOLDER.resolve(file);
  }
}
