package io.hdrsidecar.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spill file says what was sent, or that it is damaged; never something else. */
class SpillReaderTest {
  private static final InstanceId INSTANCE = new InstanceId(0x0123456789abcdefL, -1);
  private static final Labels COMMON =
      Labels.of("pod", "shop-1", "note", "a long text, with blanks; and ünicode. ".repeat(5));
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final SpillLimits LIMITS =
      SpillLimits.of(Long.MAX_VALUE, 1 << 20, 1 << 20, Long.MAX_VALUE);
  private static final int INTERVALS = 5;

  @TempDir Path folder = Path.of("set by JUnit");
  private final List<byte[]> sent = new ArrayList<>();
  private byte[] whole = {};
  private Path file = Path.of("set before each test");

  @BeforeEach
  void write() throws Exception {
    try (HistogramEncoder histograms = new HistogramEncoder();
        SpillWriter writer =
            SpillWriter.begin(
                new SpillFolder(folder), INSTANCE, COMMON, Instant.ofEpochSecond(1_700_000_000))) {
      for (int i = 1; i <= INTERVALS; i++) {
        append(writer, histograms, i);
      }
      file = writer.complete();
    }
    whole = Files.readAllBytes(file);
  }

  /** Every second interval is deflated, as one in flight to a sidecar far away is. */
  private void append(SpillWriter writer, HistogramEncoder histograms, int number)
      throws IOException, MalformedFrameException {
    Accumulation counts = new Accumulation(LAYOUT);
    SparseCounts values = new SparseCounts();
    values.visit(LAYOUT.indexOf(1000L * number), number);
    counts.add(
        values, SumMinMax.of(0, 1000L * number * number, true, 1000L * number, 1000L * number));
    ByteBuffer payload = histograms.encode(counts.counts(), HIGHEST, number % 2);
    int seriesId = 1 + number % 2;
    byte[] frame =
        new FrameEncoder()
            .interval(
                number,
                seriesId,
                IntervalHeader.of(counts, 1000L * number, 2000L * number),
                payload)
            .take();
    sent.add(frame);
    IntervalFrame interval = new IntervalFrame();
    FrameDecoder decoder = new FrameDecoder(frame.length);
    decoder.next(ByteBuffer.wrap(frame));
    decoder.interval(interval);
    writer.interval(
        definition("series" + seriesId, Labels.empty()),
        interval,
        ByteBuffer.wrap(frame, interval.payloadOffset(), interval.payloadLength()));
  }

  private static SeriesDefinition definition(String name, Labels labels) {
    return new SeriesDefinition(
        new SeriesKey(name, labels), Unit.NANOSECONDS, "help, too", LAYOUT, HIGHEST);
  }

  /** What the reader tells, with frames as they were sent. */
  private static final class Told implements SpillVisitor {
    final List<SeriesDefinition> series = new ArrayList<>();
    final List<Long> sequences = new ArrayList<>();
    final List<byte[]> frames = new ArrayList<>();
    final Set<InstanceId> instances = new HashSet<>();
    long tooLarge;

    @Override
    public void series(int id, SeriesDefinition definition) {
      series.add(definition);
      assertThat(id).isEqualTo(series.size());
    }

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {
      instances.add(instance);
      sequences.add(sequence);
      frames.add(frame);
    }

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {
      tooLarge++;
    }
  }

  /** The figures and the histogram of a frame; the id of its series is the file's own. */
  private static byte[] withoutSeriesId(byte[] frame) {
    byte[] copy = frame.clone();
    for (int i = 0; i < 4; i++) {
      copy[8 + 8 + i] = 0; // behind the header and the sequence number
      copy[copy.length - 1 - i] = 0; // the checksum
    }
    return copy;
  }

  private SpillContents read(SpillLimits limits, Told told) throws IOException {
    try (SpillFile opened = SpillFile.open(new SpillFolder(folder), file)) {
      return SpillReader.read(opened, limits, told);
    }
  }

  @Test
  void read_wholeFile_tellsWhatWasSent() throws Exception {
    Told told = new Told();

    SpillContents contents = read(LIMITS, told);

    assertThat(contents.isWhole()).isTrue();
    assertThat(contents.instance()).isEqualTo(INSTANCE);
    assertThat(contents.commonLabels()).isEqualTo(COMMON);
    assertThat(contents.intervals()).isEqualTo(INTERVALS);
    assertThat(contents.values()).isEqualTo(1 + 2 + 3 + 4 + 5);
    assertThat(told.series)
        .containsExactly(definition("series2", COMMON), definition("series1", COMMON));
    assertThat(told.sequences).containsExactly(1L, 2L, 3L, 4L, 5L);
    for (int i = 0; i < INTERVALS; i++) {
      assertThat(withoutSeriesId(told.frames.get(i))).isEqualTo(withoutSeriesId(sent.get(i)));
    }
    assertThat(new String(whole, java.nio.charset.StandardCharsets.US_ASCII).lines())
        .filteredOn(line -> line.startsWith("#"))
        .allMatch(line -> line.length() < 128);
  }

  @Test
  void check_cutAnywhere_isNotWholeAndTellsNothingElse() throws Exception {
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      Told told = new Told();

      SpillContents contents = read(LIMITS, told);

      assertThat(contents.isWhole()).as("cut at %d", length).isFalse();
      assertAllWereSent(told, length);
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void check_oneBitFlipped_tellsNothingElse(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    int found = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] damaged = whole.clone();
      int bit = random.nextInt(8 * damaged.length);
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      Told told = new Told();

      SpillContents contents = read(LIMITS, told);

      assertAllWereSent(told, bit);
      boolean tellsAll = told.sequences.size() == INTERVALS;
      assertThat(tellsAll || !contents.isWhole()).as("seed %d, bit %d", seed, bit).isTrue();
      found += tellsAll ? 0 : 1;
    }
    assertThat(found).as("damages that mattered").isPositive();
  }

  private void assertAllWereSent(Told told, int where) {
    for (int i = 0; i < told.frames.size(); i++) {
      int number = Math.toIntExact(told.sequences.get(i));
      assertThat(withoutSeriesId(told.frames.get(i)))
          .as("damage at %d, interval %d", where, number)
          .isEqualTo(withoutSeriesId(sent.get(number - 1)));
    }
    assertThat(told.instances).isSubsetOf(INSTANCE);
    assertThat(told.sequences).doesNotHaveDuplicates();
  }

  @Test
  void read_seriesAboveTheLimitOfCounters_isToldWithoutBeingDecoded() throws Exception {
    Told told = new Told();

    SpillContents contents =
        read(SpillLimits.of(Long.MAX_VALUE, 1000, 1 << 20, Long.MAX_VALUE), told);

    assertThat(told.tooLarge).isEqualTo(INTERVALS);
    assertThat(told.frames).isEmpty();
    assertThat(contents.isWhole()).isTrue();
  }

  @Test
  void read_moreDefinitionsThanAllowed_costsTheirIntervalsAndNoMore() throws Exception {
    Told told = new Told();

    // The instance, the common labels in parts and one series fit; the second series does not.
    SpillContents contents = read(SpillLimits.of(1 << 20, 1 << 20, 1 << 20, 8 << 10), told);

    assertThat(told.series).containsExactly(definition("series2", COMMON));
    assertThat(told.sequences).containsExactly(1L, 3L, 5L);
    assertThat(contents.isWhole()).isFalse();
    assertThat(contents.damaged()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void read_aLineLongerThanAllowed_isDamageAndNotHeld() throws Exception {
    byte[] longLine = new byte[40 << 20];
    Files.write(file, longLine, StandardOpenOption.APPEND);
    Files.write(file, new byte[] {'\n'}, StandardOpenOption.APPEND);
    Told told = new Told();

    SpillContents contents = read(LIMITS, told);

    assertThat(told.sequences).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(contents.isWhole()).isFalse();
  }

  @Test
  void close_withoutComplete_leavesNothing() throws Exception {
    Files.delete(file);
    try (SpillWriter writer =
        SpillWriter.begin(new SpillFolder(folder), INSTANCE, COMMON, Instant.now())) {
      assertThat(writer).isNotNull();
      try (SpillClaim claim = new SpillFolder(folder).claim().orElseThrow()) {
        assertThat(claim.files()).isEmpty();
      }
    }
    Files.deleteIfExists(folder.resolve("spill.lock"));
    assertThat(folder).isEmptyDirectory();
  }
}
