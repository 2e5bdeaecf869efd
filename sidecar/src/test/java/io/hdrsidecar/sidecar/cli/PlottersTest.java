package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code .hgrm} files are for HdrHistogram's plotters: {@code plotFiles.html} takes lines that do
 * not begin with # and have four numbers, the first as y and the fourth as x; {@code
 * make_percentile_plot} is gnuplot with {@code using 4:1}.
 */
class PlottersTest {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

  @TempDir Path folder = Path.of("set by JUnit");

  private Path hgrm() throws Exception {
    Path log = Fixtures.path(Fixtures.TAGGED);
    Path name = folder.resolve("out");
    LogToolRun run =
        LogToolRun.of(
            "summarize",
            "-f",
            "hgrm",
            "--all-tags",
            "--ratio",
            "1000000",
            "--expected-interval",
            "1000000",
            "-o",
            name,
            log);
    assertThat(run.exitCode()).isZero();
    return folder.resolve("out.hgrm");
  }

  @Test
  void hgrm_byTheRuleOfPlotFiles_isARisingLine() throws Exception {
    List<double[]> points =
        Files.readAllLines(hgrm()).stream()
            .map(String::trim)
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split(" +"))
            .filter(cells -> cells.length == 4 && cells[0].matches("[0-9.]+"))
            .map(cells -> new double[] {Double.parseDouble(cells[3]), Double.parseDouble(cells[0])})
            .toList();

    assertThat(points).hasSizeGreaterThan(50);
    for (int i = 1; i < points.size(); i++) {
      assertThat(points.get(i)[0]).isGreaterThan(points.get(i - 1)[0]);
      assertThat(points.get(i)[1]).isGreaterThanOrEqualTo(points.get(i - 1)[1]);
    }
  }

  @Test
  void hgrm_inGnuplot_isPlottedWithoutAWord() throws Exception {
    Path gnuplot = gnuplot();
    Path input = folder.resolve("gnuplot_input");
    Files.writeString(
        input,
        "set terminal png\nset output '"
            + folder.resolve("plot.png")
            + "'\nset logscale x\n"
            + "unset xtics\nset key top left\nplot '"
            + hgrm()
            + "' using 4:1 with lines\n");
    Path output = folder.resolve("gnuplot_output");

    Process process =
        new ProcessBuilder(gnuplot.toString(), input.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(output)).isEmpty();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readAllBytes(folder.resolve("plot.png")))
        .startsWith(PNG)
        .hasSizeGreaterThan(2000);
  }

  private static Path gnuplot() {
    List<Path> found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(path -> Path.of(path, "gnuplot"))
            .filter(Files::isExecutable)
            .toList();
    boolean mustBeThere = Boolean.parseBoolean(System.getenv("HDR_SIDECAR_REQUIRE_REAL_PARTS"));
    assertThat(mustBeThere && found.isEmpty()).as("gnuplot is required, but not there").isFalse();
    assumeTrue(!found.isEmpty(), "gnuplot not found; install it to run this test");
    return found.get(0);
  }
}
