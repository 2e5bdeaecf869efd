package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README of a chart lists its values, as the comments of {@code values.yaml} tell them. */
class ChartReadmesTest {
  private static final Path CHARTS = Path.of("..", "k8s", "helm");
  private static final Pattern COMMENT = Pattern.compile(" *# (.*)");
  private static final Pattern ENTRY = Pattern.compile("( *)(\\w+):(?: (?!#)(.+?))?(?: # (.*))?");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdr-sidecar",
        "hdr-sidecar-inject",
        "hdr-sidecar-monitoring",
        "hdr-sidecar-fleet"
      })
  void readme_values_areThoseOfTheChart(String chart) throws IOException {
    Path folder = CHARTS.resolve(chart);
    StringBuilder table =
        new StringBuilder("| value | default | what it is |\n| --- | --- | --- |\n");
    Deque<String> path = new ArrayDeque<>();
    StringJoiner said = new StringJoiner(" ");
    for (String line : Files.readAllLines(folder.resolve("values.yaml"))) {
      Matcher comment = COMMENT.matcher(line);
      Matcher entry = ENTRY.matcher(line);
      if (comment.matches()) {
        said.add(comment.group(1));
      } else if (entry.matches()) {
        while (path.size() > entry.group(1).length() / 2) {
          path.removeLast();
        }
        path.addLast(entry.group(2));
        add(table, path, entry, said);
        said = new StringJoiner(" ");
      } else {
        assertThat(line).as("a line of values.yaml that is no entry").isBlank();
        said = new StringJoiner(" ");
      }
    }
    new GeneratedPage(folder.resolve("README.md")).assertHas(table + "\n");
  }

  /** A row for each value, and for groups that say something of all of theirs. */
  private static void add(
      StringBuilder table, Deque<String> path, Matcher entry, StringJoiner before) {
    StringJoiner said = before;
    if (entry.group(4) != null) {
      said.add(entry.group(4));
    }
    if (entry.group(3) == null && said.length() == 0) {
      return;
    }
    String value = entry.group(3) == null ? "" : "`" + GeneratedPage.cell(entry.group(3)) + "`";
    table.append("| `").append(String.join(".", path)).append("` | ").append(value).append(" | ");
    table.append(GeneratedPage.cell(said.toString())).append(" |\n");
  }
}
