package io.hdrsidecar.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.testing.SpillFileOfMany;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client may have more series than who picks its file up has memory for at a time. */
class ManySpilledSeriesTest {
  private static final int SERIES = 1_000;
  private static final int ROUNDS = 3;

  /** What a sidecar of 48 MiB has: less than half of what these definitions take. */
  private static final long FEW_BYTES = 800 << 10;

  @TempDir Path folder = Path.of("set by JUnit");

  /** Series by sequence number, as the ids say that were told. */
  private static final class Names implements SpillVisitor {
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Long, String> found = new TreeMap<>();
    private int begun;
    private int most;

    @Override
    public void series(int id, SeriesDefinition definition) {
      if (id == 1) {
        names.clear();
        begun++;
      }
      names.put(id, definition.key().name());
      most = Math.max(most, names.size());
    }

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {
      found.put(sequence, String.valueOf(names.get(seriesId)));
    }

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {
      throw new AssertionError("too large: " + sequence);
    }
  }

  private static Map<Long, String> written() {
    Map<Long, String> expected = new TreeMap<>();
    LongStream.rangeClosed(1, (long) SERIES * ROUNDS)
        .forEach(sequence -> expected.put(sequence, SpillFileOfMany.name(sequence, SERIES)));
    return expected;
  }

  private Path write() throws Exception {
    Labels labels = Labels.of("uri", "/a/long/path/".repeat(8), "method", "GET");
    return SpillFileOfMany.write(folder, labels, SERIES, SERIES * ROUNDS);
  }

  private SpillContents read(Path file, long definitionBytes, Names names) throws Exception {
    try (SpillClaim claim = new SpillFolder(folder).claim().orElseThrow();
        SpillFile opened = claim.open(file)) {
      SpillLimits limits = SpillLimits.of(1 << 30, 1 << 20, 1 << 20, definitionBytes);
      return SpillReader.read(opened, limits, names);
    }
  }

  @Test
  void read_withLittleMemory_hasAllOfAllSeries() throws Exception {
    Names names = new Names();

    SpillContents contents = read(write(), FEW_BYTES, names);

    assertThat(contents.isWhole()).isTrue();
    assertThat(contents.intervals()).isEqualTo((long) SERIES * ROUNDS);
    assertThat(names.found).isEqualTo(written());
    assertThat(names.begun).isGreaterThan(1);
    assertThat(names.most).isLessThan(SERIES);
  }

  @Test
  void read_withMuchMemory_tellsEachSeriesOnce() throws Exception {
    Names names = new Names();

    SpillContents contents = read(write(), 64 << 20, names);

    assertThat(contents.isWhole()).isTrue();
    assertThat(names.found).isEqualTo(written());
    assertThat(names.begun).isEqualTo(1);
    assertThat(names.most).isEqualTo(SERIES);
  }

  @Test
  void read_withoutWhatSaysForget_isTheSameForWhoHasTheMemory() throws Exception {
    Path file = write();
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(text).containsPattern("(?m)^#F ");
    Files.writeString(
        file,
        Pattern.compile("(?m)^#F .*\n").matcher(text).replaceAll(""),
        StandardCharsets.ISO_8859_1);
    Names names = new Names();

    SpillContents contents = read(file, 64 << 20, names);

    assertThat(contents.isWhole()).isTrue();
    assertThat(names.found).isEqualTo(written());
  }

  @Test
  void read_aDamagedDefinition_costsItsOwnIntervalsAndGivesNoneToAnother() throws Exception {
    Path file = write();
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int lastForget = text.lastIndexOf("\n#F ");
    int damaged = text.indexOf("name=", lastForget);
    Files.writeString(
        file,
        text.substring(0, damaged) + "mane=" + text.substring(damaged + 5),
        StandardCharsets.ISO_8859_1);
    Names names = new Names();

    SpillContents contents = read(file, FEW_BYTES, names);

    assertThat(contents.isWhole()).isFalse();
    assertThat(names.found).hasSize(SERIES * ROUNDS - 1);
    assertThat(written()).containsAllEntriesOf(names.found);
  }
}
