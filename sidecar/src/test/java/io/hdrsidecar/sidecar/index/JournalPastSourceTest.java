package io.hdrsidecar.sidecar.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which record is taken from which file. Record N is an interval that starts at N seconds. */
class JournalPastSourceTest {
  private static final String CALLS =
      "name=calls unit=ns lowest=1 digits=3 highest=1000000 created=0 help=";

  @TempDir Path folder = Path.of("set by JUnit");

  private void add(JournalPastSource files, long firstRecord, long... records) throws IOException {
    add(files, "intervals-" + firstRecord + ".hlog", firstRecord, records);
  }

  private Path add(JournalPastSource files, String name, long firstRecord, long... records)
      throws IOException {
    Path path = Files.createFile(folder.resolve(name));
    SharedIndex index = new SharedIndex();
    index.add(
        lines -> {
          for (long each : records) {
            lines.add(CALLS, 100 * each, 100, each, 1000 * each, 1000 * each + 1000);
          }
        });
    files.addActive(path, firstRecord, index);
    return path;
  }

  private static List<PastSeries> series(JournalPastSource files) {
    try (PastReading reading = files.open(0, Long.MAX_VALUE)) {
      return reading.series();
    }
  }

  @Test
  void remove_fileThatBeginsAsAnotherDoes_keepsTheSeriesOfTheOther() throws IOException {
    JournalPastSource files = new JournalPastSource(10, 1 << 20);
    Path first = add(files, "intervals-1.hlog", 1, 1, 2);
    Path again = add(files, "intervals-1.later.hlog", 1, 1, 2);
    SeriesDefinition calls = SeriesText.decode(CALLS).definition();
    assertThat(series(files)).extracting(PastSeries::key).containsExactly(calls.key());
    SharedIndex none = new SharedIndex();
    files.addActive(again, 1, none); // complete now, and no longer asked for what it has

    files.remove(first, 1);
    assertThat(series(files)).extracting(PastSeries::key).containsExactly(calls.key());

    files.remove(again, 1);
    assertThat(series(files)).isEmpty();
  }

  @Test
  void extent_fileWithoutIndex_beginsWithItAndCountsIt() {
    JournalPastSource files = new JournalPastSource(10, 1 << 20);
    files.addWithoutIndex(folder.resolve("old.hlog"), 1, Instant.ofEpochSecond(5));

    assertThat(files.extent().fromMillis()).isEqualTo(5000);
    assertThat(files.filesWithoutIndex()).isEqualTo(1);
    files.remove(folder.resolve("old.hlog"), 1);
    assertThat(files.extent().isEmpty()).isTrue();
    assertThat(files.filesWithoutIndex()).isZero();
  }

  @Test
  void intervals_recordsMissingInFirstFileAreInSecond_areTakenFromThereAndOthersOnce()
      throws IOException {
    JournalPastSource files = new JournalPastSource(10, 1 << 20);
    add(files, 1, 1, 2, 4, 7);
    add(files, 2, 2, 3, 4, 5, 7, 8);
    SeriesDefinition calls = SeriesText.decode(CALLS).definition();

    try (PastReading reading = files.open(0, Long.MAX_VALUE)) {
      assertThat(
              reading.intervals(PastSeries.of(calls.key(), calls.unit()), Map.of(), 100).stream()
                  .map(PastInterval::startMillis))
          .containsExactlyInAnyOrder(1000L, 2000L, 3000L, 4000L, 5000L, 7000L, 8000L);
      assertThat(reading.hasAll(1, 5)).isTrue();
      assertThat(reading.hasAll(1, 6)).isFalse();
      assertThat(reading.hasAll(7, 8)).isTrue();
      assertThat(reading.hasAll(7, 9)).isFalse();
    }
  }
}
