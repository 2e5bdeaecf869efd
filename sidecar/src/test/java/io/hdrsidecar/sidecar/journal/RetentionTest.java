package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
  private static final long NOW = LONG_AGO.plus(Duration.ofDays(9)).toEpochMilli();

  private final Path folder;
  private final JournalDirectory directory;

  RetentionTest(@TempDir Path folder) {
    this.folder = folder;
    this.directory = new JournalDirectory(folder);
  }

  private List<Path> files() throws Exception {
    List<Path> paths = new ArrayList<>();
    for (long first : List.of(1L, 101L, 201L, 301L)) {
      paths.add(Files.writeString(directory.intervals(LONG_AGO, first), "x"));
    }
    for (long first : List.of(201L, 301L)) {
      Files.writeString(directory.checkpoint(LONG_AGO, first), "x");
    }
    return paths;
  }

  /** The older checkpoint has the first two files; who takes records along may need them longer. */
  @Test
  void apply_recordsThatAreNotTakenYet_keepTheirFiles() throws Exception {
    List<Path> files = files();
    AtomicLong taken = new AtomicLong(99);
    Retention retention =
        new Retention(directory, 1 << 20, Duration.ofHours(1), taken::get, deleted -> {});

    retention.apply(NOW);
    assertThat(files).allMatch(Files::exists);

    taken.set(100);
    retention.apply(NOW);
    assertThat(files.get(0)).doesNotExist();
    assertThat(files.get(1)).exists();

    taken.set(Long.MAX_VALUE);
    retention.apply(NOW);
    assertThat(files.get(1)).doesNotExist();
    assertThat(files.get(2)).as("the checkpoint has not").exists();
    assertThat(folder).isDirectoryContaining("glob:**checkpoint*");
  }
}
