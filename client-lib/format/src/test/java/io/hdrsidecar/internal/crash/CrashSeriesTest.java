package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.Left.expected;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.IntervalHeader;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More values than a counter can hold, and series that come and go. */
class CrashSeriesTest {
  private static final long VALUE = 1_000_003;
  private static final long LOWEST = CrashRig.LAYOUT.lowestValueAt(CrashRig.LAYOUT.indexOf(VALUE));
  private static final long TURN = 1L << 32;

  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  private CrashRig rig;
  private CrashSeries series;
  private CrashArea shared;
  private final Accumulation waiting = new Accumulation(CrashRig.LAYOUT);
  private final Accumulation none = new Accumulation(CrashRig.LAYOUT);

  @BeforeEach
  void create() throws IOException {
    rig = CrashRig.in(folder.path(), CrashRig.BYTES);
    series = rig.series("a");
    shared = requireNonNull(series.shared());
  }

  private Left left() throws IOException {
    return Left.of(folder.path(), rig.image());
  }

  /** Counts, and what a sampler does each second while there is no sidecar. */
  private void record(long times) {
    int index = CrashRig.LAYOUT.indexOf(VALUE);
    int page = shared.createPage(index >>> CrashLayout.PAGE_BITS);
    for (long rest = times; rest > 0; rest -= 1 << 30) {
      int now = (int) Math.min(rest, 1 << 30);
      shared.countShared(page, index, VALUE, now);
      waiting.counts().add(index, now);
      waiting.sum().add(VALUE * now);
      waiting.widen(VALUE, VALUE);
      assertThat(rig.file().carry(series, waiting.counts(), none.counts())).isTrue();
    }
  }

  private void frame(long sequence) {
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      ByteBuffer payload = histograms.encode(waiting.counts(), CrashRig.HIGHEST, 0);
      IntervalHeader header = IntervalHeader.of(waiting, CrashRig.NOW, CrashRig.NOW + 1_000);
      byte[] frame = new FrameEncoder().interval(sequence, 1, header, payload).take();
      rig.file()
          .frame(
              series,
              waiting.counts(),
              0,
              Integer.MAX_VALUE,
              waiting.sum().low(),
              sequence,
              ByteBuffer.wrap(frame),
              CrashRig.NOW + 1_000);
    }
  }

  @Test
  void read_moreValuesInABucketThanACounterHolds_hasThemAll() throws IOException {
    record(3 * TURN + 17);

    Left left = left();

    assertThat(left.contents.damage()).isEmpty();
    assertThat(left.countsOf("a")).isEqualTo(Map.of(LOWEST, 3 * TURN + 17));
    assertThat(left.intervals.get(0).sum())
        .isEqualTo(BigInteger.valueOf(VALUE).multiply(BigInteger.valueOf(3 * TURN + 17)));
  }

  @Test
  void frame_ofMoreThanACounterHolds_leavesWhatCameLater() throws IOException {
    record(2 * TURN + 5);
    frame(1);
    waiting.clear();
    rig.file().settled(1);
    assertThat(left().intervals).isEmpty();

    record(TURN + 3);

    assertThat(left().countsOf("a")).isEqualTo(Map.of(LOWEST, TURN + 3));
  }

  @Test
  void takeBack_ofMoreThanACounterHolds_makesItPartOfTheRestAgain() throws IOException {
    record(2 * TURN + 5);
    frame(1);
    SparseCounts counts = new SparseCounts();
    waiting.counts().forEach(counts);

    rig.file().takeBack(series, counts, waiting.sum(), 1);
    record(TURN);

    assertThat(left().sequences()).containsExactly(2L);
    assertThat(left().countsOf("a")).isEqualTo(Map.of(LOWEST, 3 * TURN + 5));
  }

  @Test
  void forget_ofMoreThanACounterHolds_leavesNothing() throws IOException {
    record(2 * TURN + 5);
    rig.record(series, 7);

    series.forget(waiting);

    assertThat(left().countsOf("a")).isEqualTo(expected(7));
  }

  @Test
  void carry_ofTwoIntervalsOfASeries_carriesBoth() throws IOException {
    record(TURN - 1);
    Accumulation begun = new Accumulation(CrashRig.LAYOUT);
    begun.add(waiting);

    record(TURN);
    waiting.clear();
    waiting.counts().add(CrashRig.LAYOUT.indexOf(VALUE), TURN);
    assertThat(rig.file().carry(series, begun.counts(), waiting.counts())).isTrue();

    assertThat(left().countsOf("a")).isEqualTo(Map.of(LOWEST, 2 * TURN - 1));
  }

  @Test
  void series_thatComeAndGo_doNotFillTheFile() throws IOException {
    Deque<CrashSeries> present = new ArrayDeque<>();
    for (int i = 0; i < 3_000; i++) {
      CrashSeries added = added("s" + i);
      CrashArea area = requireNonNull(added.owned(), "room for an area");
      int page = area.createPage(0);
      assertThat(page).as("room for a page of series " + i).isPositive();
      area.countOwned(page, 1 + i % 7, 1 + i % 7);
      present.addLast(added);
      if (present.size() > 20) {
        present.removeFirst();
      }
    }

    Left left = left();

    assertThat(left.contents.damage()).isEmpty();
    for (int i = 2_980; i < 3_000; i++) {
      assertThat(left.countsOf("s" + i)).isEqualTo(expected(1 + i % 7));
    }
    assertThat(left.contents.values()).isLessThan(1_000);
    assertThat(present).hasSize(20);
  }

  /** Where the collector is behind, it is waited for; a service would record on the heap. */
  private CrashSeries added(String name) {
    for (int attempt = 0; attempt < 100; attempt++) {
      rig.file().alive(CrashRig.NOW);
      CrashSeries added = rig.file().series(CrashRig.definition(name), CrashRig.NOW);
      if (added != null && !rig.file().isFull()) {
        return added;
      }
      System.gc();
    }
    throw new AssertionError("no room for " + name);
  }
}
