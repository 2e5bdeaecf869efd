package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.Left.expected;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a process had recorded and not delivered is in what it leaves, once. */
class CrashFileTest {
  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  private CrashRig rig;

  @BeforeEach
  void create() throws IOException {
    rig = CrashRig.in(folder.path(), CrashRig.BYTES);
  }

  private Left left() throws IOException {
    return Left.of(folder.path(), rig.image());
  }

  private static long[] random(int seed, int count, long most) {
    return new SplittableRandom(seed).longs(count, 0, most).toArray();
  }

  private static BigInteger sum(long... values) {
    return Arrays.stream(values)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  @Test
  void read_countsThatWereNotFramed_areOneIntervalOfEachSeries() throws IOException {
    long[] first = random(1, 1_000, 5_000_000);
    long[] second = random(2, 300, 90_000);
    rig.record(rig.series("first"), first);
    rig.record(rig.series("second"), second);
    rig.series("idle");

    Left left = left();

    assertThat(left.contents.isWhole()).isTrue();
    assertThat(left.contents.instance()).isEqualTo(CrashRig.INSTANCE);
    assertThat(left.contents.commonLabels()).isEqualTo(CrashRig.COMMON);
    assertThat(left.contents.values()).isEqualTo(1_300);
    assertThat(left.sequences()).containsExactly(1L, 2L);
    for (Left.Interval interval : left.intervals) {
      long[] values = interval.series().equals("first") ? first : second;
      assertThat(interval.counts()).isEqualTo(Left.histogram(values));
      assertThat(interval.sum()).isEqualTo(sum(values));
      assertThat(interval.figures().startMillis()).isEqualTo(CrashRig.NOW);
      assertThat(interval.figures().endMillis()).isEqualTo(CrashRig.NOW + CrashRig.EVERY);
    }
  }

  @Test
  void read_framesOfTheOutbox_comeFirstWithTheirNumbers() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 10, 20, 20, 5_000_000);
    rig.frame(series, 7, 10, 20);

    Left left = left();

    assertThat(left.sequences()).containsExactly(7L, 8L);
    assertThat(left.intervals.get(0).counts()).isEqualTo(Left.histogram(10, 20));
    assertThat(left.intervals.get(0).sum()).isEqualTo(30);
    assertThat(left.intervals.get(1).counts()).isEqualTo(Left.histogram(20, 5_000_000));
    assertThat(left.intervals.get(1).sum()).isEqualTo(5_000_020);
    assertThat(left.intervals.get(1).figures().startMillis())
        .isEqualTo(CrashRig.NOW + CrashRig.EVERY);
  }

  @Test
  void settled_upToANumber_leavesTheLaterOnes() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 1, 2, 3, 4);
    rig.frame(series, 1, 1);
    rig.frame(series, 2, 2);
    rig.frame(series, 3, 3);

    rig.file().settled(2);

    assertThat(left().sequences()).containsExactly(3L, 4L);
    assertThat(left().countsOf("a")).isEqualTo(expected(3, 4));
  }

  @Test
  void takeBack_ofAFrame_makesItPartOfTheLastIntervalAgain() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 1, 1, 2, 3);
    rig.frame(series, 1, 1);
    rig.frame(series, 2, 1, 2);
    rig.frame(series, 3, 3);

    rig.takeBack(series, 2, 1, 2);

    Left left = left();
    assertThat(left.sequences()).containsExactly(1L, 3L, 4L);
    assertThat(left.intervals.get(2).counts()).isEqualTo(Left.histogram(1, 2));
    assertThat(left.intervals.get(2).sum()).isEqualTo(3);
  }

  @Test
  void forget_ofFrames_leavesNothingOfThem() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 1, 2, 3);
    rig.frame(series, 1, 1);
    rig.frame(series, 2, 2);

    rig.file().forget(sequence -> sequence == 1);

    assertThat(left().sequences()).containsExactly(2L, 3L);
    assertThat(left().countsOf("a")).isEqualTo(expected(2, 3));
  }

  @Test
  void forget_ofCounts_leavesNothingOfThem() throws IOException {
    CrashSeries series = rig.series("a");
    long[] values = LongStream.range(0, 20_000).map(i -> i * 1_000).toArray();
    rig.record(series, values); // In more buckets than can be changed at once.
    rig.record(series, 77);

    series.forget(CrashRig.counts(values));

    assertThat(left().countsOf("a")).isEqualTo(expected(77));
    assertThat(left().intervals.get(0).sum()).isEqualTo(77);
  }

  @Test
  void read_twice_givesTheSameBytes() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, random(3, 5_000, 50_000_000));
    rig.record(series, 1, 2);
    rig.frame(series, 1, 1);

    assertThat(left().frames).isNotEmpty().isEqualTo(left().frames);
  }

  @Test
  void frame_overTheEndOfTheRing_keepsEachEntry() throws IOException {
    CrashSeries series = rig.series("a");
    SplittableRandom random = new SplittableRandom(4);
    int sequence = 0;
    for (int turn = 0; turn < 400; turn++) {
      long[] values = random(turn, 1 + random.nextInt(3_000), 1L << 40);
      rig.record(series, values);
      rig.frame(series, ++sequence, values);
      if (turn % 2 == 1) {
        assertThat(left().sequences()).containsExactly(sequence - 1L, (long) sequence);
        assertThat(left().intervals.get(1).counts()).isEqualTo(Left.histogram(values));
        rig.file().settled(sequence);
      }
      while (!rig.file().hasRoom(rig.file().entryBytes(rig.file().longestFrame()))) {
        rig.file().settled(sequence);
      }
    }
    assertThat(left().intervals).isEmpty();
  }

  @Test
  void read_moreBucketsThanAPart_givesSeveral() throws IOException {
    long[] values =
        LongStream.range(0, 2L * UnframedCounts.BUCKETS_OF_A_PART + 1)
            .map(i -> i * i * i)
            .toArray();
    rig.record(rig.series("a"), values);
    int buckets = expected(values).size();

    Left left = left();

    assertThat(left.intervals)
        .hasSize(
            (buckets + UnframedCounts.BUCKETS_OF_A_PART - 1) / UnframedCounts.BUCKETS_OF_A_PART)
        .hasSizeGreaterThan(1);
    assertThat(left.countsOf("a")).isEqualTo(expected(values));
    assertThat(
            left.intervals.stream()
                .map(Left.Interval::sum)
                .reduce(BigInteger.ZERO, BigInteger::add))
        .isEqualTo(sum(values));
  }

  @Test
  void read_valuesAbove32Bits_haveAnExactSum() throws IOException {
    long[] values = random(5, 10_000, CrashRig.HIGHEST);
    CrashSeries series = rig.series("a");
    rig.record(series, values);
    rig.frame(series, 1, Arrays.copyOf(values, 500));

    Left left = left();

    assertThat(left.countsOf("a")).isEqualTo(expected(values));
    assertThat(left.intervals.get(0).sum()).isEqualTo(sum(Arrays.copyOf(values, 500)));
    assertThat(
            left.intervals.stream()
                .map(Left.Interval::sum)
                .reduce(BigInteger.ZERO, BigInteger::add))
        .isEqualTo(sum(values));
  }

  @Test
  void countShared_besideAnOwner_addsUp() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 5, 6_000_000_000L);
    CrashArea shared = requireNonNull(series.shared());
    int index = CrashRig.LAYOUT.indexOf(6_000_000_000L);
    shared.countShared(
        shared.createPage(index >>> CrashLayout.PAGE_BITS), index, 6_000_000_000L, 3);

    assertThat(left().countsOf("a"))
        .isEqualTo(expected(5, 6_000_000_000L, 6_000_000_000L, 6_000_000_000L, 6_000_000_000L));
    assertThat(left().intervals.get(0).sum()).isEqualTo(24_000_000_005L);
  }

  @Test
  void numbered_ofAnIntervalElsewhere_isNotUsedAgain() throws IOException {
    rig.record(rig.series("a"), 1);

    rig.file().numbered(41);

    assertThat(left().sequences()).containsExactly(42L);
  }

  @Test
  void startOver_underAnotherId_beginsAtOne() throws IOException {
    CrashSeries series = rig.series("a");
    rig.record(series, 1, 2);
    rig.frame(series, 9, 1);
    InstanceId other = new InstanceId(5, 6);

    rig.file().startOver(other, CrashRig.COMMON);
    rig.takeBack(series, 9, 1);

    assertThat(left().contents.instance()).isEqualTo(other);
    assertThat(left().sequences()).containsExactly(1L);
    assertThat(left().countsOf("a")).isEqualTo(expected(1, 2));
  }

  @Test
  void read_seriesAboveTheLimit_takesNoNumberOfAnother() throws IOException {
    SeriesDefinition fine =
        new SeriesDefinition(
            CrashRig.definition("fine").key(),
            CrashRig.definition("fine").unit(),
            "",
            BucketLayout.of(1, 5),
            CrashRig.HIGHEST);
    rig.record(rig.series("coarse"), 1);
    CrashSeries large = requireNonNull(rig.file().series(fine, CrashRig.NOW));
    CrashArea area = requireNonNull(large.owned());
    area.countOwned(area.createPage(0), 3, 3);
    rig.record(rig.series("coarse2"), 2);
    SpillLimits lower = SpillLimits.of(1 << 30, 100_000, 1 << 20, 1 << 20);

    Left without = Left.of(folder.path(), rig.image(), lower);
    Left with =
        Left.of(folder.path(), rig.image(), SpillLimits.of(1 << 30, 1 << 24, 1 << 20, 1 << 20));

    assertThat(without.tooLarge).containsExactly("fine 3");
    assertThat(with.sequences()).containsExactly(1L, 2L, 3L);
    assertThat(with.intervals.subList(0, 2).stream().map(Left.Interval::series))
        .isEqualTo(without.intervals.stream().map(Left.Interval::series).toList());
  }

  @Test
  void close_ofAFile_deletesIt() throws IOException {
    CrashSeries series = rig.series("a");
    rig.file().close();

    assertThat(folder.path()).isEmptyDirectory();
    assertThat(rig.file().series(CrashRig.definition("b"), CrashRig.NOW)).isNull();
    rig.record(series, 1); // Goes on in memory that nobody finds.
  }

  @Test
  void create_onADisk_isRefusedWithAReason(@TempDir Path disk) throws IOException {
    String type = Files.getFileStore(disk).type();
    assumeFalse(type.equals("tmpfs"), "temporary files of this machine are in memory");
    CrashFolder onDisk = new CrashFolder(new SpillFolder(disk), CrashRig.BYTES);

    assertThatThrownBy(
            () -> CrashFile.create(onDisk, CrashRig.INSTANCE, CrashRig.COMMON, 1, CrashRig.NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must be in memory")
        .hasMessageContaining(type);
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void series_untilTheFileIsFull_areRefusedAndTheOthersKept() throws IOException {
    CrashRig small = CrashRig.in(folder.path(), 1 << 20);
    List<CrashSeries> made = new ArrayList<>();
    CrashSeries next = small.file().series(CrashRig.definition("s0"), CrashRig.NOW);
    while (next != null) {
      made.add(next);
      small.record(next, made.size());
      next = small.file().series(CrashRig.definition("s" + made.size()), CrashRig.NOW);
    }
    small.file().alive(CrashRig.NOW);

    assertThat(small.file().isFull()).isTrue();
    CrashArea more = made.get(0).shared();
    assertThat(more == null ? 0 : more.createPage(20)).isZero();
    assertThat(Left.of(folder.path(), small.image()).contents.values()).isEqualTo(made.size());
    small.file().close();
  }

  @Test
  void series_ofAThreadThatIsInterrupted_keepsTheLockOfTheFile() {
    List<String> names = LongStream.range(0, 1_000).mapToObj(i -> "s" + i).toList();
    Thread.currentThread().interrupt();

    names.forEach(rig::series); // Takes memory several times.

    assertThat(Thread.interrupted()).isTrue();
    rig.file().alive(CrashRig.NOW);
    assertThat(rig.file().isFull()).isFalse();
    assertThat(rig.file().series(CrashRig.definition("more"), CrashRig.NOW)).isNotNull();
  }
}
