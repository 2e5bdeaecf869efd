package io.hdrsidecar.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TruthFileTest {
  @TempDir Path folder = Path.of("set by JUnit");

  @Test
  void read_ofWhatWasAppended_givesItBackWithoutATornEnd() throws IOException {
    Path file = folder.resolve("x.truth");
    try (TruthFile truth = TruthFile.create(file, 2)) {
      truth.append(new long[] {TruthFile.entry(0, 0), TruthFile.entry(49, 1)});
      truth.append(new long[] {TruthFile.entry(7, ChaosClient.HIGHEST_NANOS)});
    }
    Files.write(file, new byte[] {1, 2, 3, 4, 5, 6, 7}, StandardOpenOption.APPEND);

    List<String> read = new ArrayList<>();
    TruthFile.read(
        file, entry -> read.add(TruthFile.seriesOf(entry) + ":" + TruthFile.valueOf(entry)));

    assertThat(read).containsExactly("0:0", "49:1", "7:3600000000000");
  }

  @Test
  void read_ofAFileThatWasNeverMade_givesNothing() throws IOException {
    List<Long> read = new ArrayList<>();

    TruthFile.read(folder.resolve("none.truth"), read::add);

    assertThat(read).isEmpty();
  }
}
