package io.hdrsidecar.internal.crash;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A damaged file is refused, or says less than was recorded; it says more only where a counter
 * itself is damaged, which has no checksum.
 */
class DamagedFileTest {
  private static final long[] FIRST = LongStream.range(0, 40).map(i -> 1_000 + 3 * i).toArray();
  private static final long[] SECOND = {5, 5, 7_000_000_000L};
  private static final long[] THIRD = {123_456, 123_456, 99};

  /** So many of one value that some are carried. */
  private static final long MANY = 5L << 30;

  private static final BucketLayout SMALL = BucketLayout.of(1, 1);

  /** With some that are not. */
  private static final int IN_USE_BYTES = 370_000;

  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  private byte[] image = {};
  private int usedBytes;

  /** Which bytes are counters. */
  private final BitSet counters = new BitSet();

  private final Map<String, Map<Long, Long>> recorded = new TreeMap<>();

  /** Three series, an outbox with entries settled, taken back and left, and changes under way. */
  @BeforeEach
  void write() throws IOException {
    CrashRig rig = CrashRig.in(folder.path(), 1 << 20);
    CrashSeries first = rig.series("first");
    CrashSeries second = rig.series("second");
    CrashSeries third = rig.series("third");
    rig.record(first, FIRST);
    rig.record(second, SECOND);
    rig.record(third, THIRD);
    recordMany(rig.file(), third);
    rig.frame(first, 1, Arrays.copyOf(FIRST, 10));
    rig.frame(second, 2, 5);
    rig.frame(third, 3, 99);
    rig.takeBack(third, 3, 99);
    rig.file().settled(1);
    byte[] before = rig.image();
    rig.frame(first, 4, Arrays.copyOfRange(FIRST, 10, 30));
    image = underWay(before, rig.image());
    rig.file().close();
    recorded.put("first", Left.expected(FIRST));
    recorded.put("second", Left.expected(SECOND));
    recorded.put("third", Left.expected(THIRD));
    recorded.get("third").put(7L, MANY);
    usedBytes = rig.file().usedBytes();
    findCounters(usedBytes);
  }

  private static void recordMany(CrashFile file, CrashSeries series) {
    CrashArea shared = requireNonNull(series.shared());
    PagedCounts waiting = new PagedCounts(CrashRig.LAYOUT);
    int page = shared.createPage(0);
    for (long counted = 0; counted < MANY; counted += 1 << 30) {
      shared.countShared(page, 7, 7, 1 << 30);
      waiting.add(7, 1 << 30);
      assertThat(file.carry(series, waiting, new PagedCounts(CrashRig.LAYOUT))).isTrue();
    }
  }

  /** As it was before, but for changes that are written down and not made. */
  private static byte[] underWay(byte[] before, byte[] after) {
    byte[] image = before.clone();
    int blocks = CrashPlace.OUTBOX_AT + CrashPlace.OUTBOX_BYTES;
    System.arraycopy(
        after, CrashPlace.REDO_AT, image, CrashPlace.REDO_AT, blocks - CrashPlace.REDO_AT);
    ByteBuffer written = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    int crc = written.getInt(CrashPlace.REDO_AT + CrashLayout.REDO_CRC);
    int changes = 1;
    while (CrashRedo.crc(written, CrashPlace.REDO_AT, changes) != crc) {
      changes++;
    }
    written.putInt(CrashPlace.REDO_AT + CrashLayout.REDO_COUNT, changes);
    return image;
  }

  private void findCounters(int used) {
    ByteBuffer written = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    int blocks = CrashPlace.OUTBOX_AT + CrashPlace.OUTBOX_BYTES;
    for (int block = blocks; block < used; block += CrashLayout.ALIGNMENT) {
      boolean isDescribed =
          written.getInt(block + CrashLayout.BLOCK_CRC)
              == CrashLayout.crc(written, block, CrashLayout.BLOCK_CRC);
      if (isDescribed && written.getInt(block) == CrashLayout.KIND_PAGE) {
        counters.set(block + CrashLayout.CONTENT, block + CrashLayout.PAGE_BYTES);
      }
    }
  }

  /** All bytes but those of sections that nothing was ever written to. */
  private BitSet bytesInUse() {
    BitSet inUse = new BitSet();
    for (int i = 0; i < image.length; i++) {
      inUse.set(i, image[i] != 0);
    }
    inUse.set(0, CrashPlace.REDO_AT + 2 * CrashLayout.ALIGNMENT);
    inUse.set(CrashPlace.OUTBOX_AT, CrashPlace.OUTBOX_AT + CrashLayout.ALIGNMENT + 1_024);
    int blocks = CrashPlace.OUTBOX_AT + CrashPlace.OUTBOX_BYTES;
    inUse.set(blocks, blocks + 4_096);
    return inUse;
  }

  @Test
  void read_theFileItself_hasAllThatIsLeft() throws IOException {
    Left left = Left.of(folder.path(), image);

    assertThat(left.contents.damage()).isEmpty();
    assertThat(left.sequences()).containsExactly(2L, 4L, 5L, 6L, 7L);
    assertThat(left.countsOf("first"))
        .isEqualTo(Left.expected(Arrays.copyOfRange(FIRST, 10, FIRST.length)));
    assertThat(left.countsOf("second")).isEqualTo(recorded.get("second"));
    assertThat(left.countsOf("third")).isEqualTo(recorded.get("third"));
  }

  @Test
  void read_eachByteFlipped_saysNoMoreThanWasRecorded() throws IOException {
    List<ByteBuffer> whole = Left.of(folder.path(), image).frames;
    BitSet inUse = bytesInUse();
    assertThat(inUse.cardinality()).isBetween(4_000, 40_000);
    Path path = Left.write(folder.path(), image);
    int refused = 0;
    try (SpillClaim claim = new SpillFolder(folder.path()).claim().orElseThrow();
        SpillFile file = claim.open(path);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      for (int at = inUse.nextSetBit(0); at >= 0; at = inUse.nextSetBit(at + 1)) {
        set(channel, at, ~image[at]);
        Left left = Left.read(file);
        if (!left.contents.isWhole()) {
          assertThat(left.contents.damage()).as("byte " + at).hasSizeGreaterThan(10);
          refused++;
        } else if (!counters.get(at)) {
          assertNoMoreThanRecorded(left, at);
        }
        set(channel, at, image[at]);
      }
      assertThat(Left.read(file).frames).isEqualTo(whole);
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  private static void set(FileChannel channel, int at, int value) throws IOException {
    channel.write(ByteBuffer.wrap(new byte[] {(byte) value}), at);
  }

  private void assertNoMoreThanRecorded(Left left, int at) {
    for (String series : List.of("first", "second", "third")) {
      Map<Long, Long> most = recorded.getOrDefault(series, Map.of());
      left.countsOf(series)
          .forEach(
              (bucket, count) ->
                  assertThat(count)
                      .as("byte %d, %s, bucket %d", at, series, bucket)
                      .isLessThanOrEqualTo(most.getOrDefault(bucket, 0L)));
    }
  }

  @Test
  void read_cutAnywhere_isRefused() throws IOException {
    for (int length = 0; length < IN_USE_BYTES; length += 64) {
      Left left = Left.of(folder.path(), Arrays.copyOf(image, length));

      assertThat(left.contents.damage()).as("cut at " + length).isNotEmpty();
      assertThat(left.intervals).isEmpty();
    }
  }

  /** As if its header had always said so. */
  @Test
  void read_cutWithALengthToMatch_saysNoMoreThanWasRecorded() throws IOException {
    for (int length = CrashLayout.HEADER_BYTES; length < IN_USE_BYTES; length += 64) {
      byte[] cut = Arrays.copyOf(image, length);
      ByteBuffer header = ByteBuffer.wrap(cut).order(ByteOrder.nativeOrder());
      header.putInt(CrashLayout.LENGTH, length);
      header.putInt(CrashLayout.HEADER_CRC, CrashLayout.headerCrc(header));
      Left left = Left.of(folder.path(), cut);

      assertThat(left.contents.isWhole()).as("cut at " + length).isEqualTo(length >= usedBytes);
      assertNoMoreThanRecorded(left, length);
    }
  }

  @Test
  void read_cutWhileItIsRead_failsAndTakesNothing() throws IOException {
    Path path = Left.write(folder.path(), image);
    try (SpillClaim claim = new SpillFolder(folder.path()).claim().orElseThrow();
        SpillFile file = claim.open(path);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(1_000);

      assertThatThrownBy(() -> Left.read(file)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void read_sizesThatCannotBe_takesNoMemoryForThem() throws IOException {
    ByteBuffer written = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    int hello = written.getInt(CrashLayout.HELLO);
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30, 0, 1, 2}) {
      byte[] crafted = image.clone();
      ByteBuffer block = ByteBuffer.wrap(crafted).order(ByteOrder.nativeOrder());
      CrashLayout.describe(block, hello, CrashLayout.KIND_HELLO, 0, length);
      assertThat(Left.of(folder.path(), crafted).contents.isWhole())
          .as("HELLO %d", length)
          .isFalse();

      crafted = image.clone();
      block = ByteBuffer.wrap(crafted).order(ByteOrder.nativeOrder());
      block.putInt(CrashLayout.LENGTH, length);
      block.putInt(CrashLayout.HEADER_CRC, CrashLayout.headerCrc(block));
      assertThat(Left.of(folder.path(), crafted).contents.isWhole())
          .as("file %d", length)
          .isFalse();

      crafted = image.clone();
      block = ByteBuffer.wrap(crafted).order(ByteOrder.nativeOrder());
      block.putInt(CrashPlace.REDO_AT + CrashLayout.REDO_COUNT, length);
      if (length != 0) {
        assertThat(Left.of(folder.path(), crafted).contents.isWhole())
            .as("redo %d", length)
            .isFalse();
      }
    }
  }

  @Test
  void read_outboxLargerThanAnyProcessMakesOne_isRefused() throws IOException {
    ByteBuffer written = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    int bytes = image.length - CrashPlace.OUTBOX_AT;
    CrashLayout.describe(written, CrashPlace.OUTBOX_AT, CrashLayout.KIND_OUTBOX, 0, bytes);

    assertThat(Left.of(folder.path(), image).contents.damage()).contains("the outbox cannot be");
  }

  /** Each label takes four bytes of the file and some fifty times as many of the heap. */
  @Test
  void read_manySeriesOfManyLabels_takesNoMoreMemoryThanTheLimit() throws IOException {
    byte[] many = manySeries(2_000, 30);

    Left left = Left.of(folder.path(), many);

    assertThat(left.contents.damage()).isEmpty();
    assertThat(left.mostNames * 30 * 100).isBetween(1, 1 << 20); // at least 100 bytes a label
    assertThat(left.sequences()).isEqualTo(LongStream.rangeClosed(1, 2_000).boxed().toList());
    for (int i = 0; i < 2_000; i++) {
      assertThat(left.countsOf("s" + i)).as("series %d", i).isEqualTo(Map.of(i % 8L, 1L));
    }
  }

  @Test
  void read_framesOfManySeries_haveTheirOwnInWhateverPartTheyAre() throws IOException {
    CrashRig rig = CrashRig.in(folder.path(), 16 << 20);
    CrashSeries[] series = new CrashSeries[500];
    for (int i = 0; i < series.length; i++) {
      series[i] = rig.series("s" + i);
      rig.record(series[i], 10L * i, 10L * i, 3);
      rig.frame(series[i], i + 1, 10L * i);
    }
    SpillLimits small = SpillLimits.of(1 << 30, 1 << 20, 1 << 20, 64 << 10);

    Left parts = Left.of(folder.path(), rig.image(), small);
    Left whole = Left.of(folder.path(), rig.image());

    assertThat(parts.mostNames).isLessThan(100);
    assertThat(whole.mostNames).isEqualTo(series.length);
    assertThat(parts.sequences()).isEqualTo(whole.sequences());
    for (int i = 0; i < series.length; i++) {
      assertThat(parts.countsOf("s" + i)).isEqualTo(Left.expected(10L * i, 10L * i, 3));
    }
    rig.file().close();
  }

  @Test
  void read_moreSeriesThanThereIsMemoryFor_isRefusedBeforeItIsTaken() throws IOException {
    SpillLimits small = SpillLimits.of(1 << 30, 1 << 20, 1 << 20, 12 << 10);

    Left left = Left.of(folder.path(), manySeries(1_000, 1), small);

    assertThat(left.contents.damage()).contains("more series than there is memory for, 192");
    assertThat(left.intervals).isEmpty();
  }

  @Test
  void read_seriesThatLeadBack_areRefused() throws IOException {
    ByteBuffer written = ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
    int first = written.getInt(CrashLayout.FIRST_SERIES);
    int second = written.getInt(first + CrashLayout.SERIES_NEXT);
    int third = written.getInt(second + CrashLayout.SERIES_NEXT);
    for (int back : new int[] {first, second, third}) {
      written.putInt(third + CrashLayout.SERIES_NEXT, back);

      assertThat(Left.of(folder.path(), image).contents.damage())
          .isEqualTo("series are without end");
    }
  }

  private byte[] manySeries(int count, int labels) throws IOException {
    CrashRig rig = CrashRig.in(folder.path(), 16 << 20);
    TreeMap<String, String> many = new TreeMap<>();
    for (int label = 0; label < labels; label++) {
      many.put(String.valueOf((char) ('A' + label % 26)) + (char) ('a' + label / 26), "1");
    }
    for (int i = 0; i < count; i++) {
      SeriesKey key = new SeriesKey("s" + i, Labels.of(many));
      SeriesDefinition definition = new SeriesDefinition(key, Unit.NANOSECONDS, "", SMALL, 2_000);
      CrashArea area =
          requireNonNull(requireNonNull(rig.file().series(definition, CrashRig.NOW)).owned());
      area.countOwned(area.createPage(0), i % 8, i % 8);
    }
    byte[] written = rig.image();
    rig.file().close();
    return written;
  }
}
