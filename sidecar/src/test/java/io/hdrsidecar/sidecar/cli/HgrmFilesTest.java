package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.Plotters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .hgrm} files of the log tools are for HdrHistogram's {@link Plotters}. */
class HgrmFilesTest {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};
  private static final double MILLION = 1e6;

  @TempDir Path folder = Path.of("set by JUnit");

  private Path hgrm(String fixture, Object... more) {
    Path name = folder.resolve(fixture);
    List<Object> arguments =
        new ArrayList<>(
            List.of("summarize", "-f", "hgrm", "--all-tags", "--ratio", "1000000", "-o", name));
    arguments.addAll(List.of(more));
    arguments.add(Fixtures.path(fixture));
    assertThat(LogToolRun.of(arguments.toArray()).exitCode()).isZero();
    return folder.resolve(fixture + ".hgrm");
  }

  @Test
  void hgrm_inPlotFiles_hasThePointsOfHdrHistogram() throws Exception {
    Histogram expected = new Histogram(20_000, 30_000_000_000L, 2);
    for (EncodableHistogram interval : Fixtures.intervals(Fixtures.path(Fixtures.V2))) {
      expected.add((Histogram) interval);
    }
    List<double[]> points = new ArrayList<>();
    for (HistogramIterationValue step : expected.percentiles(5)) {
      if (step.getPercentileLevelIteratedTo() < 100) { // the last line has no x, and no point
        points.add(
            new double[] {
              1 / (1 - step.getPercentileLevelIteratedTo() / 100),
              step.getValueIteratedTo() / MILLION
            });
      }
    }

    List<List<@Nullable Double>> table =
        Plotters.plotFiles(List.of(Files.readString(hgrm(Fixtures.V2))));

    assertThat(table).hasSameSizeAs(points).hasSizeGreaterThan(50);
    for (int i = 0; i < points.size(); i++) {
      assertThat(table.get(i))
          .containsExactly(rounded(points.get(i)[0], 2), rounded(points.get(i)[1], 2));
    }
  }

  private static Double rounded(double value, int decimals) {
    return Double.valueOf(String.format(Locale.ROOT, "%." + decimals + "f", value));
  }

  @Test
  void hgrm_correctedAndTagged_inPlotFiles_isARisingLine() throws Exception {
    String corrected = Files.readString(hgrm(Fixtures.TAGGED, "--expected-interval", "1000000"));

    List<List<@Nullable Double>> table = Plotters.plotFiles(List.of(corrected));

    assertThat(corrected).startsWith("#[Corrected");
    assertThat(table).hasSizeGreaterThan(50);
    for (int i = 1; i < table.size(); i++) {
      assertThat(table.get(i).get(0)).isGreaterThan(table.get(i - 1).get(0));
      assertThat(table.get(i).get(1)).isGreaterThanOrEqualTo(table.get(i - 1).get(1));
    }
  }

  @Test
  void hgrm_ofSeveralLogs_inPlotFiles_isAColumnEach() throws Exception {
    List<String> contents = new ArrayList<>();
    for (String fixture : List.of(Fixtures.V0, Fixtures.V1, Fixtures.TAGGED)) {
      contents.add(Files.readString(hgrm(fixture)));
    }

    assertThat(Plotters.plotFiles(contents)).isNotEmpty().allMatch(row -> row.size() == 4);
  }

  @Test
  void hgrm_inMakePercentilePlot_isPlottedWithoutAWord() throws Exception {
    List<Path> files =
        List.of(
            hgrm(Fixtures.V0),
            hgrm(Fixtures.V2),
            hgrm(Fixtures.TAGGED, "--expected-interval", "1000000"));
    Path png = folder.resolve("plot.png");
    Path svg = folder.resolve("plot.svg");

    String saidOfPng = Plotters.gnuplot(folder, "png", png, files);
    String saidOfSvg = Plotters.gnuplot(folder, "svg", svg, files);

    assertThat(saidOfPng + saidOfSvg).isEmpty();
    assertThat(Files.readAllBytes(png)).startsWith(PNG).hasSizeGreaterThan(2000);
    assertThat(Plotters.plotsIn(svg)).isEqualTo(files.size() + 1); // and the labels of the axis
  }
}
