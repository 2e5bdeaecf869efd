package io.hdrsidecar.sidecar.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.sidecar.history.KeptInterval;
import io.hdrsidecar.sidecar.merge.Intervals;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sum over a window says that it holds, of intervals that memory keeps packed. */
class SlidingSumTest {
  private static final int BUCKETS = 4096;

  /** An index and a count. */
  private static final int SPARSE_BYTES = Integer.BYTES + Long.BYTES;

  private final EvaluatedStore stored = new EvaluatedStore().inMemory(1 << 20);

  private List<KeptInterval> intervals() throws Exception {
    PagedCounts counts = new PagedCounts(Intervals.LAYOUT);
    for (int index = 0; index < BUCKETS; index++) {
      counts.add(index, 1);
    }
    Series series = stored.series("h1");
    long end = stored.clock.millis();
    stored.store.mergeWithoutSumMinMax(
        series, Intervals.decoded(counts), end - EvaluatedStore.SECOND, end);
    return series.historyIntervals(0, Long.MAX_VALUE, 10);
  }

  @Test
  void bytes_ofAWindowThatOverlaps_haveWhatIntervalsAreUnpackedAndPackedIn() throws Exception {
    SlidingSum sum = new SlidingSum(true, false);
    for (KeptInterval each : intervals()) {
      sum.add(each);
    }
    sum.endPiece(0);

    long unpacked = 2L * SPARSE_BYTES * BUCKETS; // What was read, and what is to be written.
    long packed =
        2L * 2 * BUCKETS; // Each bucket takes two bytes, the piece and what it is made in.
    assertThat(sum.bytes()).as("counters besides").isGreaterThan(unpacked + packed);
    stored.close();
  }
}
