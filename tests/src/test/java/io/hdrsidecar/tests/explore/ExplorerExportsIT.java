package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static io.hdrsidecar.tests.explore.Explorer.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the explorer downloads for a selected range, read by those who know the formats. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // All ask one sidecar.
final class ExplorerExportsIT {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();
  private static final int LENGTH = 300;

  @RegisterExtension final Processes processes = new Processes();

  private final KnownSeries series =
      new KnownSeries(
          "checkout",
          Map.of("route", "/pay"),
          KnownSeries.originOf(LENGTH),
          LENGTH,
          60,
          7,
          s -> 3e6);
  private final long start = series.startMillis() + 60_000;
  private final long end = series.startMillis() + 200_000;
  private final Histogram expected = series.between(start, end);
  private final Path folder;
  private SidecarProcess sidecar;
  private Explorer explorer;

  ExplorerExportsIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  void start() throws Exception {
    sidecar = processes.sidecar(0, "--self-hiccups=off");
    series.upload(sidecar, folder);
  }

  @BeforeEach
  void select() {
    explorer =
        CHROMIUM
            .explorer(sidecar.httpPort())
            .open(
                link(
                    "s", series.selector(),
                    "start", time(series.startMillis()),
                    "end", time(series.endMillis()),
                    "sel", time(start) + ".." + time(end)));
    explorer.awaitCount(expected.getTotalCount());
  }

  private byte[] download(String format) throws Exception {
    return explorer.download(explorer.find("export-" + format).first());
  }

  private List<String> lines(String format) throws Exception {
    return new String(download(format), StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void hlog_readByHdrHistogram_hasEveryBucket() throws Exception {
    try (HistogramLogReader reader =
        new HistogramLogReader(new ByteArrayInputStream(download("hlog")))) {
      Histogram sum = new Histogram(1, expected.getHighestTrackableValue(), 3);
      while (reader.hasNext()) {
        sum.add((Histogram) Objects.requireNonNull(reader.nextIntervalHistogram()));
      }
      assertThat(Numbers.bucketsOf(sum)).isEqualTo(Numbers.bucketsOf(expected));
    }
  }

  @Test
  void hgrm_eachLine_hasTheCountUpToItsValue() throws Exception {
    List<String> lines = lines("hgrm");

    List<String[]> rows =
        lines.stream()
            .map(line -> line.strip().split(" +", -1))
            .filter(cells -> cells[0].matches("\\d+\\.\\d+") && cells.length >= 3)
            .toList();
    assertThat(rows).hasSizeGreaterThan(20);
    for (String[] row : rows) {
      assertCount(row[0], row[2]);
    }
    assertThat(lines)
        .anyMatch(line -> line.matches(".*Total count *= *" + expected.getTotalCount() + "].*"));
  }

  @Test
  void csv_eachLine_hasTheCountUpToItsValue() throws Exception {
    List<String> lines = lines("csv");

    assertThat(lines.get(0)).contains("Value", "Percentile", "TotalCount");
    List<String[]> rows =
        lines.stream()
            .map(line -> line.split(",", -1))
            .filter(cells -> cells[0].matches("\\d+(\\.\\d+)?"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(20);
    for (String[] row : rows) {
      assertCount(row[0], row[2]);
    }
  }

  /**
   * The value may be printed with fewer digits than it has, but not so few that it is another
   * bucket.
   */
  private void assertCount(String value, String count) {
    long nanos = Math.round(Double.parseDouble(value));
    assertThat(Long.parseLong(count))
        .as("count up to %s", value)
        .isEqualTo(expected.getCountBetweenValues(0, nanos));
  }

  @Test
  void png_ofEachChart_isAPictureWithSomethingOnIt() throws Exception {
    for (String chart : List.of("chart-time", "chart-heatmap", "chart-distribution")) {
      byte[] bytes =
          explorer.download(
              explorer.find(chart).locator("xpath=ancestor::section[1]").getByTestId("export-png"));

      BufferedImage image = ImageIO.read(new ByteArrayInputStream(bytes));
      assertThat(image).as(chart).isNotNull();
      assertThat(image.getWidth()).as(chart).isGreaterThan(300);
      assertThat(image.getHeight()).as(chart).isGreaterThan(150);
      long colours =
          Arrays.stream(
                  image.getRGB(
                      0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
              .distinct()
              .count();
      assertThat(colours).as("colours of " + chart).isGreaterThan(20);
    }
  }
}
