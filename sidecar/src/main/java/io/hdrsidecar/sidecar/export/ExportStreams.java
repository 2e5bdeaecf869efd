package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.BucketRun;
import io.hdrsidecar.sidecar.reading.CountsReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The streams of all series that live, in bytes taken before. Series for which there is no room are
 * left out, counted, and looked at again in the next round. One thread; {@link #left} any.
 */
final class ExportStreams {
  /** A stream with its places in map and lists. */
  private static final long STREAM_BYTES = 120;

  private final SeriesStore store;
  private final HeapClaim claim;
  private final ExportCounters counters;
  private final IdentityHashMap<Series, ExportStream> bySeries = new IdentityHashMap<>();
  private final TotalCount total = new TotalCount();
  private long leftNow;
  private volatile long left;

  ExportStreams(SeriesStore store, HeapClaim claim, ExportCounters counters) {
    this.store = store;
    this.claim = claim;
    this.counters = counters;
  }

  /** Those of now, ordered by metric. */
  List<ExportStream> round() {
    refresh();
    List<ExportStream> all = new ArrayList<>(bySeries.values());
    all.sort(Comparator.comparing(ExportStream::metric));
    return all;
  }

  /**
   * Lets go of series that have ended, counts what of them is lost, and knows new ones from now on.
   * While a receiver is away, too: a series may begin and end within that time.
   */
  void refresh() {
    sweep();
    leftNow = 0;
    for (Series series : store.livingSeries()) {
      if (!bySeries.containsKey(series)) {
        if (claim.tryGrow(STREAM_BYTES + SentPoint.NONE.heapBytes())) {
          bySeries.put(series, new ExportStream(series));
        } else {
          leftNow++;
        }
      }
    }
    left = leftNow;
  }

  private void sweep() {
    for (Iterator<Map.Entry<Series, ExportStream>> each = bySeries.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Series, ExportStream> entry = each.next();
      Series series = entry.getKey();
      ExportStream stream = entry.getValue();
      if (series.hasEnded()) {
        counters.lost(stream.end(total.of(series)));
        claim.shrink(STREAM_BYTES + stream.delivered().heapBytes());
        each.remove();
      }
    }
  }

  /** All that a series counted up to this point counts as delivered. */
  void assume(ExportStream stream, SentPoint point) {
    boolean hasRoom = claim.tryGrow(point.heapBytes() - stream.delivered().heapBytes());
    stream.assume(hasRoom ? point : null);
  }

  /**
   * Takes the memory for a point that is to be remembered beside the one before.
   *
   * @return false when there is none
   */
  boolean send(ExportStream stream, SentPoint point) {
    if (!claim.tryGrow(point.heapBytes())) {
      left = ++leftNow;
      return false;
    }
    stream.send(point);
    return true;
  }

  /** A request has arrived. */
  void deliver(ExportRequest request) {
    for (int i = 0; i < request.streams().size(); i++) {
      ExportStream stream = request.streams().get(i);
      long before = stream.delivered().heapBytes();
      long both = stream.heapBytes();
      counters.delivered(stream.deliver());
      // What has ended meanwhile gave back what it had delivered before.
      claim.shrink(stream.series() == null ? both - before : before);
    }
  }

  /** A request will not arrive. */
  void giveUp(ExportRequest request) {
    for (ExportStream stream : request.streams()) {
      claim.shrink(stream.heapBytes() - stream.delivered().heapBytes());
      counters.lost(stream.giveUp());
    }
  }

  /** Values of living series that the receiver does not have. */
  long undelivered() {
    long undelivered = 0;
    for (ExportStream stream : bySeries.values()) {
      Series series = stream.series();
      if (series != null) {
        undelivered += total.of(series) - stream.delivered().count();
      }
    }
    return undelivered;
  }

  /** How many series had no room in the last round. Any thread. */
  long left() {
    return left;
  }

  /** Number of values of a series since its start. */
  private static final class TotalCount implements CountsReader {
    private long count;

    long of(Series series) {
      series.readTotal(this);
      return count;
    }

    @Override
    public void clear() {
      count = 0;
    }

    @Override
    public void add(PagedCounts counts, SumMinMax sumMinMax) {
      count = BucketRun.saturatedSum(count, counts.total());
    }

    @Override
    public CountsReader another() {
      return new TotalCount();
    }

    @Override
    public void takeOver(CountsReader filled) {
      count = ((TotalCount) filled).count;
    }
  }
}
