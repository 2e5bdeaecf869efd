package io.hdrsidecar.sidecar.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * HdrHistogram's plotters of {@code .hgrm} files, by their rules.
 *
 * <p>{@code GoogleChartsExample/plotFiles.html} splits at LF, trims, and splits at blanks. It takes
 * a line that does not begin with # and has four cells of which the first and the fourth are
 * numbers to JavaScript's {@code parseFloat}: y and x. The n-th such line of every file goes to row
 * n of its table, under the x of the first file that has such a row.
 *
 * <p>{@code gnuplotExample/make_percentile_plot} pipes commands to gnuplot: a logarithmic x axis
 * labelled by a file of its own, and {@code using 4:1 with lines} for each file.
 */
public final class Plotters {
  private static final Pattern PARSE_FLOAT =
      Pattern.compile("[-+]?(Infinity|(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?).*");

  private Plotters() {}

  /** The table that plotFiles.html draws: x, and y of each file, null where a file has no row. */
  public static List<List<@Nullable Double>> plotFiles(List<String> contents) {
    List<List<@Nullable Double>> table = new ArrayList<>();
    for (int file = 0; file < contents.size(); file++) {
      int next = 0;
      for (String line : contents.get(file).split("\n", -1)) {
        String[] cells = line.trim().split(" +", -1);
        if (line.trim().startsWith("#") || cells.length != 4) {
          continue;
        }
        Double y = parseFloat(cells[0]);
        Double x = parseFloat(cells[3]);
        if (x == null || y == null) {
          continue;
        }
        if (next == table.size()) {
          table.add(new ArrayList<>(List.of(x)));
        }
        List<@Nullable Double> row = table.get(next++);
        while (row.size() < file + 1) {
          row.add(null);
        }
        row.add(y);
      }
      for (; next < table.size(); next++) {
        table.get(next).add(null);
      }
    }
    return table;
  }

  private static @Nullable Double parseFloat(String cell) {
    Matcher number = PARSE_FLOAT.matcher(cell);
    if (!number.matches()) {
      return null;
    }
    String text = cell.substring(0, number.end(1));
    return Double.valueOf(text);
  }

  /**
   * Runs gnuplot as make_percentile_plot does.
   *
   * @param terminal {@code png}, as the script has it, or another
   * @return what gnuplot said
   */
  public static String gnuplot(Path folder, String terminal, Path picture, List<Path> files)
      throws IOException, InterruptedException {
    Path gnuplot = gnuplot();
    StringBuilder labels = new StringBuilder();
    StringBuilder shown = new StringBuilder("0%");
    for (int power = 0; power < 8; power++) {
      labels.append("1").append("0".repeat(power)).append(".0\t0.0\t").append(shown).append('\n');
      shown.replace(0, shown.length(), power == 0 ? "90%" : power == 1 ? "99%" : more(shown));
    }
    Path axis = Files.writeString(folder.resolve("xlabels.dat"), labels);
    List<String> plots = new ArrayList<>();
    plots.add("'" + axis + "' with labels center offset 0, 1.5 point");
    files.forEach(file -> plots.add("'" + file + "' using 4:1 with lines"));
    Path commands =
        Files.write(
            folder.resolve("gnuplot_input"),
            List.of(
                "set terminal " + terminal,
                "set output '" + picture + "'",
                "set logscale x",
                "unset xtics",
                "set key top left",
                "plot " + String.join(", ", plots)));
    Path said = folder.resolve("gnuplot_output");
    Process process =
        new ProcessBuilder(gnuplot.toString())
            .redirectInput(commands.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    return Files.readString(said);
  }

  /** One more nine. */
  private static String more(CharSequence percent) {
    String digits = percent.toString().replace("%", "");
    return digits + (digits.contains(".") ? "9%" : ".9%");
  }

  /** How many curves and sets of points an SVG of gnuplot has. */
  public static long plotsIn(Path svg) throws IOException {
    return Pattern.compile("<g id=\"gnuplot_plot_\\d+\"")
        .matcher(Files.readString(svg))
        .results()
        .count();
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
