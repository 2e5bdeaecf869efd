package io.hdrsidecar.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsFileTest {
  @Test
  void appendTo_twoSections_areHeadedByDateAndTitlesOfTables(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("made/RESULTS.md");
    ResultsFile first = new ResultsFile("first command");
    first.add("memory", "about memory", "| a |\n");
    first.add("starts", "about starts", "| b |\n");
    first.appendTo(file);
    ResultsFile second = new ResultsFile("second command");
    second.add("merge", "about merging", "| c |\n");
    second.appendTo(file);

    String written = Files.readString(file);
    assertThat(written.lines().filter(line -> line.startsWith("#")))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("# Benchmark results, newest last"),
            line -> assertThat(line).matches("## \\d{4}-\\d\\d-\\d\\d, memory, starts"),
            line -> assertThat(line).isEqualTo("### memory"),
            line -> assertThat(line).isEqualTo("### starts"),
            line -> assertThat(line).matches("## \\d{4}-\\d\\d-\\d\\d, merge"),
            line -> assertThat(line).isEqualTo("### merge"));
    assertThat(written)
        .contains("`first command`")
        .contains("about starts\n\n| b |\n\n## ")
        .endsWith("### merge\n\nabout merging\n\n| c |\n");
  }
}
