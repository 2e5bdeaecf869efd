package io.hdrsidecar.sidecar.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each record is in one interval of one value, which no other has, in one of two layouts; so what
 * memory and journal give together shows every record that is missing or doubled.
 */
class MemoryOrJournalTest {
  private static final int RECORDS = 3000;
  private static final List<BucketLayout> LAYOUTS =
      List.of(BucketLayout.of(1, 5), BucketLayout.of(1, 4));
  private static final WriteGuard UNGUARDED =
      new WriteGuard() {
        @Override
        public void beginWrite() {}

        @Override
        public void endWrite() {}
      };

  /** When a record was, by its number; not in the order of the numbers. */
  private final long[] seconds = new long[RECORDS + 1];

  private final List<HistoryLane> lanes =
      LAYOUTS.stream().map(layout -> new HistoryLane(layout, UNGUARDED)).toList();

  private static IntervalCounts counts(long value) {
    SparseCounts sparse = new SparseCounts();
    sparse.visit(layout(value).indexOf(value), 1);
    IntervalCounts counts = new IntervalCounts();
    counts.set(sparse, SumMinMax.of(0, value, true, value, value));
    return counts;
  }

  private static BucketLayout layout(long record) {
    return LAYOUTS.get(record % 7 == 0 ? 1 : 0);
  }

  private void remember(long historyBytes, long seed) {
    List<Integer> shuffled = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      shuffled.add(i);
    }
    Random random = new Random(seed);
    for (int from = 0; from < RECORDS; from += 50) {
      Collections.shuffle(shuffled.subList(from, Math.min(RECORDS, from + 50)), random);
    }
    History history = new History(historyBytes);
    for (int record = 1; record <= RECORDS; record++) {
      long second = shuffled.get(record - 1);
      seconds[record] = second;
      history.add(
          lanes.get(LAYOUTS.indexOf(layout(record))),
          counts(record),
          1000 * second,
          1000 * (second + 1),
          record,
          1000L * RECORDS);
    }
    assertThat(history.droppedIntervals()).isZero();
  }

  private List<KeptInterval> kept(long from, long to) {
    List<KeptInterval> kept = new ArrayList<>();
    lanes.forEach(lane -> lane.copyTo(kept, from, to, Long.MAX_VALUE));
    return kept;
  }

  /** A journal that has all but some records. */
  private final class Journal implements PastReading {
    private final RecordRanges has = new RecordRanges();
    private final long from;
    private final long to;

    Journal(long gapFrom, long gapTo, long last, long from, long to) {
      for (long record = 1; record <= last; record++) {
        if (record < gapFrom || record >= gapTo) {
          has.add(record, record);
        }
      }
      this.from = from;
      this.to = to;
    }

    @Override
    public List<PastSeries> series() {
      return List.of();
    }

    @Override
    public boolean hasAll(long firstRecord, long lastRecord) {
      return has.containsAll(firstRecord, lastRecord);
    }

    @Override
    public List<PastInterval> intervals(
        PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
      throw new UnsupportedOperationException();
    }

    int addTo(IntervalSum sum, Map<BucketLayout, RecordRanges> except) {
      int added = 0;
      for (long record = 1; record <= RECORDS; record++) {
        boolean overlaps =
            1000 * seconds[(int) record] < to && 1000 * seconds[(int) record] >= from;
        RecordRanges inMemory = except.getOrDefault(layout(record), new RecordRanges());
        if (overlaps && has.contains(record) && !inMemory.contains(record)) {
          sum.add(layout(record), counts(record));
          added++;
        }
      }
      return added;
    }

    @Override
    public List<String> warnings() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest(name = "history of {0} bytes, without {1} to {2}, flushed up to {3}")
  @CsvSource({
    "1000000, 0, 0, 3000",
    "30000, 0, 0, 3000",
    "30000, 0, 0, 2950",
    "30000, 500, 900, 3000",
    "30000, 1, 2, 2999",
    "10000, 0, 0, 3000",
    "10000, 1200, 1201, 2990"
  })
  void of_anyHistoryAndJournal_givesEveryRecordOnce(
      long historyBytes, long gapFrom, long gapTo, long flushed) throws IOException {
    remember(historyBytes, historyBytes + gapFrom);
    for (boolean takesAll : new boolean[] {false, true}) {
      Journal journal = new Journal(gapFrom, gapTo, flushed, 0, Long.MAX_VALUE);
      MemoryOrJournal seam = MemoryOrJournal.of(kept(0, Long.MAX_VALUE), journal, takesAll);
      IntervalSum sum = new IntervalSum();
      for (PastInterval each : seam.fromMemory()) {
        sum.add(each);
      }
      int ofJournal = journal.addTo(sum, seam.inMemory());

      assertThat(recordsIn(sum)).hasSize(RECORDS).allSatisfy((r, n) -> assertThat(n).isOne());
      if (takesAll) {
        assertThat(ofJournal).isZero();
      } else if (historyBytes < 100_000 && gapTo - gapFrom < 2) {
        assertThat(ofJournal).as("the journal is finer").isPositive();
      }
    }
  }

  @ParameterizedTest(name = "history of {0} bytes, {1} to {2} s")
  @CsvSource({"30000, 1000, 1500", "30000, 2900, 3000", "10000, 7, 8", "1000000, 100, 200"})
  void of_partOfTheTime_hasAllThatOverlapsOnceAndIsNotCoarserThanTheJournal(
      long historyBytes, long fromSecond, long toSecond) throws IOException {
    remember(historyBytes, 5);
    Journal journal = new Journal(0, 0, RECORDS, 1000 * fromSecond, 1000 * toSecond);
    MemoryOrJournal seam =
        MemoryOrJournal.of(kept(1000 * fromSecond, 1000 * toSecond), journal, false);
    IntervalSum sum = new IntervalSum();
    for (PastInterval each : seam.fromMemory()) {
      assertThat(each.endMillis() - each.startMillis()).isEqualTo(1000);
      sum.add(each);
    }
    journal.addTo(sum, seam.inMemory());

    Map<Long, Long> expected = new TreeMap<>();
    for (long record = 1; record <= RECORDS; record++) {
      long second = seconds[(int) record];
      if (second >= fromSecond && second < toSecond) {
        expected.put(record, 1L);
      }
    }
    assertThat(recordsIn(sum)).isEqualTo(expected);
  }

  private static Map<Long, Long> recordsIn(IntervalSum sum) {
    Map<Long, Long> counted = new TreeMap<>();
    sum.counts()
        .forEach(
            counts ->
                counts
                    .counts()
                    .forEach(
                        (index, count) ->
                            counted.merge(
                                counts.counts().layout().lowestValueAt(index), count, Long::sum)));
    return counted;
  }
}
