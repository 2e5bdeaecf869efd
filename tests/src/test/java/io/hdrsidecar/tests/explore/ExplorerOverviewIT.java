package io.hdrsidecar.tests.explore;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The list of all series, of an application as Spring Boot makes them and of one that is quiet. */
final class ExplorerOverviewIT {
  private static final int LENGTH = 300;
  private static final int QUIET_MILLIS = 300_000;
  private static final String NAME = "http_server_requests";

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final long now = System.currentTimeMillis() / 1000 * 1000;
  private final List<KnownSeries> requests =
      List.of(
          requests("none", "GET", "SUCCESS", "200", "/owners/{ownerId}", 1),
          requests("none", "GET", "SUCCESS", "200", "/actuator/health", 2),
          requests("none", "GET", "CLIENT_ERROR", "404", "/**", 3),
          requests("none", "GET", "REDIRECTION", "302", "/owners/new", 4),
          requests("IllegalStateException", "GET", "SERVER_ERROR", "500", "/oups", 5));
  private final KnownSeries quiet =
      new KnownSeries(
          "nightly", Map.of("task", "a"), now - QUIET_MILLIS - 120_000, 120, 30, 9, s -> 3e6 + s);
  private final Path folder;
  private Explorer explorer;

  ExplorerOverviewIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private KnownSeries requests(
      String error, String method, String outcome, String status, String uri, long seed) {
    Map<String, String> labels =
        Map.of(
            "error",
            error,
            "exception",
            error,
            "method",
            method,
            "outcome",
            outcome,
            "status",
            status,
            "uri",
            uri);
    return new KnownSeries(NAME, labels, now - LENGTH * 1000L, LENGTH, 20, seed, s -> 2e6 * seed);
  }

  @BeforeEach
  void start() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    for (KnownSeries each : Stream.concat(requests.stream(), Stream.of(quiet)).toList()) {
      each.upload(sidecar, folder);
    }
    explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.open("").awaitRows(requests.size() + 1);
  }

  private Locator group() {
    return explorer.find("series-group");
  }

  @Test
  void group_ofASpringBootApplication_hasAColumnForEachLabelThatDiffers() {
    assertThat(group()).hasCount(1);
    assertThat(group()).containsText("5 series");
    assertThat(group()).containsText("method=GET");
    assertThat(group().locator(".cell"))
        .hasText(new String[] {"uri", "outcome", "status", "error, exception"});
    for (KnownSeries each : requests) {
      Locator cells = explorer.row(each.selector()).locator(".cell");
      assertThat(cells).hasCount(4);
      for (Locator cell : cells.all()) {
        assertThat((Boolean) cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth"))
            .as("%s is not cut off", cell.textContent())
            .isTrue();
      }
    }
    assertThat(explorer.page().locator("[data-label=uri]").allTextContents())
        .map(text -> text.replace("uri=", ""))
        .containsExactlyInAnyOrder(
            "/owners/{ownerId}", "/actuator/health", "/**", "/owners/new", "/oups");
    explorer.picture("overview-boot");
  }

  @Test
  void group_opened_isTheSumOfItsSeries() {
    group().getByTestId("open-group").click();

    long all = requests.stream().mapToLong(each -> each.all().getTotalCount()).sum();
    explorer.awaitCount(all);
    assertThat(explorer.parameter("s")).containsExactly(NAME);
  }

  @Test
  void group_ofWhichSomeAreSearched_opensThoseAlone() {
    explorer.search("200");
    explorer.awaitRows(2);

    group().getByTestId("open-group").click();

    explorer.awaitCount(1, requests.get(0).all().getTotalCount());
    assertThat(explorer.parameter("s"))
        .containsExactlyInAnyOrder(requests.get(0).selector(), requests.get(1).selector());
  }

  @Test
  void group_byKeyboard_isReachedChosenAndOpened() {
    Keyboard keys = explorer.page().keyboard();
    keys.press("/");
    keys.press("ArrowDown");
    assertThat(group()).isFocused();

    keys.press("Space");
    assertThat(group().getByRole(AriaRole.CHECKBOX)).isChecked();
    assertThat(explorer.find("open-selected")).hasText("Open 5 chosen series");
    keys.press("Space");
    assertThat(explorer.find("open-selected")).isHidden();
    keys.press("ArrowDown");
    assertThat(explorer.find("series-row").first()).isFocused();
    keys.press("ArrowUp");
    keys.press("Enter");

    explorer.awaitParameter("s");
    assertThat(explorer.parameter("s")).containsExactly(NAME);
  }

  @Test
  void row_ofAQuietSeries_showsItsLastMinuteWithValuesGreyed() {
    Locator row = explorer.row(quiet.selector());

    Histogram last = quiet.between(quiet.endMillis() - 60_000, quiet.endMillis());
    Map.of("p50", 50.0, "p99", 99.0, "p999", 99.9, "max", 100.0)
        .forEach(
            (column, percentile) -> {
              Locator cell = row.locator(".for-" + column);
              long expected = last.getValueAtPercentile(percentile);
              assertThat(cell).hasAttribute("data-value", Long.toString(expected));
              assertThat(colourOf(cell)).isNotEqualTo(colourOf(liveCell(column)));
            });
    double rate = Double.parseDouble(dataValue(row.locator(".for-rate")));
    assertThat(rate).isEqualTo(last.getTotalCount() / 60.0);
    assertThat(row.getByTestId("quiet")).containsText("quiet");
    explorer.picture("overview-quiet");
  }

  private Locator liveCell(String column) {
    return explorer.row(requests.get(0).selector()).locator(".for-" + column);
  }

  private static Object colourOf(Locator cell) {
    return cell.evaluate("cell => getComputedStyle(cell).color");
  }

  private static String dataValue(Locator cell) {
    return Objects.requireNonNull(cell.getAttribute("data-value"));
  }
}
