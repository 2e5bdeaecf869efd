package io.hdrsidecar.tests.explore;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code log explore} in the browser, over logs of jHiccup, against what HdrHistogram reads. */
final class ExplorerFilesIT {
  private static final Path LOGS = Path.of("../client-lib/format/src/test/resources/hlog");
  private static final Path HICCUPS = LOGS.resolve("jHiccup-2.0.7S.logV2.hlog");
  private static final Path TAGGED = LOGS.resolve("tagged-Log.logV2.hlog");
  private static final String OF_HICCUPS =
      "jHiccup_2_0_7S_logV2{file=\"jHiccup-2.0.7S.logV2.hlog\"}";
  private static final String OF_UNTAGGED = "tagged_Log_logV2{file=\"tagged-Log.logV2.hlog\"}";
  private static final String OF_TAG = "A{file=\"tagged-Log.logV2.hlog\"}";
  private static final Pattern READY = Pattern.compile("(\\d+) series from .*(http://\\S+)");

  /** As the fields of the range show a time, to the second. */
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final List<Histogram> hiccups;
  private final List<Histogram> untagged;
  private final List<Histogram> tagged;
  private JavaProcess program;
  private Explorer explorer;

  ExplorerFilesIT() throws IOException {
    hiccups = intervals(HICCUPS, null);
    untagged = intervals(TAGGED, null);
    tagged = intervals(TAGGED, "A");
  }

  /** What HdrHistogram reads of a log: every interval with the tag; null for those without. */
  private static List<Histogram> intervals(Path log, @Nullable String tag) throws IOException {
    List<Histogram> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next instanceof Histogram histogram && Objects.equals(next.getTag(), tag)) {
          intervals.add(histogram);
        }
      }
    }
    assertThat(intervals).hasSizeGreaterThan(10);
    return intervals;
  }

  /**
   * HdrHistogram of the intervals of which any part lies in a range, with their own buckets:
   * jHiccup's are 16,384 ns at least, and finer ones would place the values lower.
   */
  private static Histogram between(List<Histogram> intervals, long fromMillis, long toMillis) {
    Histogram sum = new Histogram(intervals.get(0));
    sum.setAutoResize(true);
    for (Histogram interval : intervals) {
      if (interval.getEndTimeStamp() > fromMillis && interval.getStartTimeStamp() < toMillis) {
        sum.add(interval);
      }
    }
    return sum;
  }

  private static Histogram all(List<Histogram> intervals) {
    return between(intervals, 0, Long.MAX_VALUE);
  }

  /** All that there is, in whole seconds as ranges are: start and end. */
  private long[] extent() {
    long start = Long.MAX_VALUE;
    long end = 0;
    for (List<Histogram> each : List.of(hiccups, untagged, tagged)) {
      start = Math.min(start, each.get(0).getStartTimeStamp());
      end = Math.max(end, each.get(each.size() - 1).getEndTimeStamp());
    }
    return new long[] {start / 1000 * 1000, (end + 999) / 1000 * 1000};
  }

  @BeforeEach
  void start() throws Exception {
    program =
        processes.start(
            List.of("log", "explore", "--no-open", HICCUPS.toString(), TAGGED.toString()));
    Matcher ready = program.awaitLine(READY);
    assertThat(ready.group(1)).isEqualTo("3");
    URI printed = URI.create(ready.group(2));
    explorer = CHROMIUM.explorer(printed);
    explorer.page().navigate(printed.toString());
  }

  @Test
  void list_ofTwoLogs_hasEverySeriesWithItsFigures() throws Exception {
    explorer.awaitRows(3);

    assertListed(OF_HICCUPS, all(hiccups));
    assertListed(OF_UNTAGGED, all(untagged));
    assertListed(OF_TAG, all(tagged));
    assertThat(explorer.row(OF_HICCUPS).locator(".for-spark svg")).isVisible();
    assertEndsOnCtrlC();
  }

  private void assertListed(String selector, Histogram expected) {
    assertThat(explorer.row(selector)).isVisible();
    for (String percentile : List.of("50", "99", "100")) {
      String column = percentile.equals("100") ? "max" : "p" + percentile;
      long value = expected.getValueAtPercentile(Double.parseDouble(percentile));
      assertThat(explorer.row(selector).locator(".for-" + column))
          .hasAttribute("data-value", Long.toString(value));
      explorer.notes().add(selector + " has in the list " + column + " " + value);
    }
  }

  @Test
  void series_ofALog_isShownOverTheTimeOfTheFilesAndInADraggedPart() throws Exception {
    long[] extent = extent();
    explorer.awaitRows(3);

    explorer.openSeries(OF_HICCUPS);

    Numbers.assertShown(explorer, 0, OF_HICCUPS, extent[0], extent[1], all(hiccups));
    assertThat(explorer.find("view-start")).hasValue(SHOWN.format(at(extent[0])));
    assertThat(explorer.find("view-end")).hasValue(SHOWN.format(at(extent[1])));
    assertThat(explorer.find("live-toggle")).isHidden();
    explorer.find("chart-heatmap").locator("canvas").waitFor();
    explorer.awaitIdle();
    explorer.picture("files-series");

    explorer.drag("chart-time", 0.3, 0.6);

    explorer.awaitParameter("sel");
    long[] range = explorer.selected();
    Histogram part = between(hiccups, range[0], range[1]);
    assertThat(part.getTotalCount()).isBetween(1L, all(hiccups).getTotalCount() - 1);
    Numbers.assertShown(explorer, 0, OF_HICCUPS, range[0], range[1], part);
    explorer.awaitIdle();
    explorer.picture("files-range");
    assertEndsOnCtrlC();
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  @Test
  void series_ofATag_isThatOfItsIntervalsOnly() throws Exception {
    long[] extent = extent();
    explorer.awaitRows(3);
    explorer.search("tagged");
    explorer.awaitRows(2);

    explorer.openSeries(OF_TAG);

    Numbers.assertShown(explorer, 0, OF_TAG, extent[0], extent[1], all(tagged));
    Locator trail = explorer.page().locator("#trail");
    assertThat(trail).containsText(OF_TAG);
    assertEndsOnCtrlC();
  }

  private void assertEndsOnCtrlC() throws Exception {
    explorer.awaitIdle();
    // Somebody who looks on is told; that is no complaint here.
    explorer.watch().expect("net::ERR_(CONNECTION_|EMPTY_RESPONSE|INCOMPLETE)");

    program.interrupt();

    assertThat(program.awaitExit()).as("%s", program).isZero();
  }
}
