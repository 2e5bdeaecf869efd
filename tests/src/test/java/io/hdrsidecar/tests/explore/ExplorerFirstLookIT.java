package io.hdrsidecar.tests.explore;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.hdrsidecar.tests.explore.Explorer.link;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees who opens a series for the first time and has changed nothing. */
final class ExplorerFirstLookIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  /** Whether the last pixels of the plot have the colour of the line. */
  private static final String REACHES_RIGHT_EDGE =
      """
      chart => {
        const canvas = chart.querySelector('canvas');
        const [over, all] = [chart.querySelector('.u-over'), canvas].map(e => e.getBoundingClientRect());
        const ratio = canvas.width / all.width;
        const hex = getComputedStyle(document.documentElement).getPropertyValue('--shade-2').trim();
        const wanted = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
        const { data } = canvas.getContext('2d').getImageData(Math.round((over.right - all.left - 2) * ratio),
            Math.round((over.top - all.top) * ratio), 1, Math.round(over.height * ratio));
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] > 100 && wanted.every((part, j) => Math.abs(part - data[i + j]) < 40)) {
            return true;
          }
        }
        return false;
      }
      """;

  private static final Pattern READOUT = Pattern.compile("([\\d,]+) values, ([\\d.]+)(k?)/s");

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final long now = System.currentTimeMillis() / 1000 * 1000;
  private final Path folder;
  private SidecarProcess sidecar;
  private Explorer explorer;

  ExplorerFirstLookIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void start() throws Exception {
    sidecar = processes.sidecar(0, "--self-hiccups=off");
    explorer = CHROMIUM.explorer(sidecar.httpPort());
  }

  private KnownSeries upload(int ended, int length, int perSecond) throws Exception {
    long origin = now - (ended + length) * 1000L;
    KnownSeries series = new KnownSeries("calls", Map.of(), origin, length, perSecond, 1, s -> 2e6);
    series.upload(sidecar, folder);
    return series;
  }

  private String shownStart() {
    return explorer.find("range-start").inputValue();
  }

  private static String shown(long millis, ZoneId zone) {
    return SHOWN.withZone(zone).format(Instant.ofEpochMilli(millis));
  }

  private void assertNoWarnings() {
    explorer.awaitIdle();
    assertThat(explorer.find("view-warnings")).isHidden();
    assertThat(explorer.find("warnings").locator("li")).hasCount(0);
  }

  @Test
  void range_ofASeriesThatHasJustBegun_isFittedToIt_andNothingIsWarnedOf() throws Exception {
    KnownSeries young = upload(0, 40, 20);

    explorer.open(link("s", "calls"));

    explorer.awaitCount(young.all().getTotalCount());
    assertThat(shownStart()).isEqualTo(shown(young.startMillis(), ZoneOffset.UTC));
    assertNoWarnings();
    explorer.picture("series-young");
  }

  @Test
  void range_ofASeriesThatWasUploadedOfThePast_isFittedToIt() throws Exception {
    KnownSeries past = upload(7200, 90, 20);

    explorer.open(link("s", "calls"));

    explorer.awaitCount(past.all().getTotalCount());
    assertThat(shownStart()).isEqualTo(shown(past.startMillis(), ZoneOffset.UTC));
    assertNoWarnings();
  }

  @Test
  void throughput_belowLatency_hasTheRateOfEachStep_andCanBeDraggedOver() throws Exception {
    KnownSeries series = upload(0, 300, 40);
    explorer.open(link("s", "calls"));
    explorer.awaitCount(series.all().getTotalCount());
    explorer.awaitIdle();
    Locator rates = explorer.find("chart-throughput");
    Locator plot = rates.locator(".u-over");
    Locator above = explorer.find("chart-time").locator(".u-over");
    // A chart that is drawn anew has no box for a moment.
    explorer
        .page()
        .waitForCondition(
            () -> {
              BoundingBox lower = plot.boundingBox();
              BoundingBox upper = above.boundingBox();
              return lower != null
                  && upper != null
                  && lower.x == upper.x
                  && lower.width == upper.width;
            });

    plot.hover();

    Locator readout = rates.locator("xpath=..").locator(".readout");
    assertThat(readout).containsText("values,");
    String text = readout.textContent();
    Matcher shown = READOUT.matcher(text);
    assertThat(shown.find()).as(text).isTrue();
    double count = Double.parseDouble(shown.group(1).replace(",", ""));
    double step = Double.parseDouble(text.replaceFirst("^[\\d:]+, (\\d+) s.*", "$1"));
    // Three digits are shown.
    assertThat(Double.parseDouble(shown.group(2)))
        .isBetween(count / step - 0.6, count / step + 0.6);
    explorer.drag("chart-throughput", 0.2, 0.5);
    explorer.awaitParameter("sel");
    long[] range = explorer.selected();
    explorer.awaitCount(series.between(range[0], range[1]).getTotalCount());
  }

  @Test
  void live_client_hasLinesUpToTheRightEdge_andItsExemplars() throws Exception {
    try (HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingestAddress()).build())) {
      LatencyRecorder recorder = client.recorder("calls", Labels.of("route", "/pay"));
      Page page = explorer.open("").page();
      Locator row = explorer.row("calls{route=\"/pay\"}");
      page.waitForCondition(
          () -> {
            record(recorder);
            return row.isVisible() && row.getByTestId("exemplar").count() == 1;
          });
      assertThat(row.getByTestId("exemplar").getAttribute("title")).contains("trace " + TRACE);

      row.getByTestId("open-series").click();

      Locator exemplars = explorer.find("exemplars").locator("tr[data-trace='" + TRACE + "']");
      assertThat(exemplars.first()).isVisible();
      assertThat(exemplars.locator("[data-value='7000001']").first()).isVisible();
      Locator busy = page.locator("[aria-busy=true]");
      page.waitForCondition(
          () -> {
            record(recorder);
            if (busy.count() > 0 || explorer.find("chart-throughput").isHidden()) {
              return false;
            }
            boolean reaches =
                (Boolean) explorer.find("chart-throughput").evaluate(REACHES_RIGHT_EDGE);
            if (!reaches) {
              explorer.find("refresh").click();
            }
            return reaches;
          });
      assertNoWarnings();
      explorer.picture("series-live");
    }
  }

  private static void record(LatencyRecorder recorder) {
    for (int i = 0; i < 20; i++) {
      recorder.record(2_000_000 + i);
    }
    recorder.record(7_000_001, TRACE, "00f067aa0ba902b7");
  }

  @Test
  void zone_chosen_isThatOfAllTimes_inTheAddress_andNextTime() throws Exception {
    KnownSeries past = upload(7200, 90, 20);
    ZoneId newYork = ZoneId.of("America/New_York");
    Explorer abroad =
        CHROMIUM.explorer(sidecar.httpPort(), Chromium.desk().setTimezoneId(newYork.getId()));
    explorer = abroad;
    abroad.open(link("s", "calls"));
    abroad.awaitCount(past.all().getTotalCount());
    assertThat(shownStart()).isEqualTo(shown(past.startMillis(), newYork));

    abroad.find("zone-select").selectOption("utc");

    String inUtc = shown(past.startMillis(), ZoneOffset.UTC);
    abroad.page().waitForCondition(() -> shownStart().equals(inUtc));
    assertThat(abroad.find("covers")).containsText(inUtc);
    assertThat(abroad.parameter("tz")).containsExactly("utc");
    abroad.open(link("s", "calls"));
    abroad.awaitCount(past.all().getTotalCount());
    assertThat(shownStart()).as("remembered").isEqualTo(inUtc);
    abroad.open(link("s", "calls", "tz", "local"));
    abroad.awaitCount(past.all().getTotalCount());
    assertThat(shownStart()).as("the address wins").isEqualTo(shown(past.startMillis(), newYork));
  }
}
