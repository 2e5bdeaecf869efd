package io.hdrsidecar.benchmarks.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PastQueriesTest {
  private final Path folder;

  PastQueriesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** With two series, two minutes, five values and two repetitions; a query checks its answer. */
  @Test
  void main_ofLittle_getsAnswers() {
    assertThatCode(() -> PastQueries.main(new String[] {folder.toString(), "2", "120", "5", "2"}))
        .doesNotThrowAnyException();
  }

  /** As docs/http-api.md has them. */
  @Test
  void defaults_areThoseOfTheDocument() throws IOException {
    assertThat(DocumentedDefaults.of("/api/v1/histogram"))
        .containsEntry("format", "json")
        .containsEntry("ticks", "5");
  }
}
