package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.internal.hlog.IntervalLogLine;
import io.hdrsidecar.internal.hlog.IntervalLogReader;
import io.hdrsidecar.internal.hlog.MalformedLogLineException;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One uploaded log on its way into the store, in slices: a worker reads and decodes some lines, the
 * merge context adds them, and so on, never both at once. A bad line costs only itself.
 */
final class IntervalLogImport implements AutoCloseable {
  /** Merged in one go: far below a millisecond, so that frames of clients hardly wait. */
  private static final int SLICE_LINES = 32;

  /**
   * A slice ends behind so many buckets: a line of a few kilobytes can have as many buckets as
   * series.max-counters allows. Of an interval with more than its part of a slice the memory is not
   * kept for the next.
   */
  private static final int SLICE_BUCKETS = 1 << 16;

  /** Index and count, and a quarter to grow. */
  private static final int BUCKET_BYTES = 15;

  /** The longest payload of a frame in base64, and what stands before it. */
  private static final int MAX_LINE_BYTES = 3 << 19;

  /** A line as it is read, doubling, its text, and its payload. */
  private static final int LINE_COPIES = 5;

  private static final int LEAST_LINE_BYTES = 64 << 10;

  private static final int MAX_REFUSED_TOLD = 100;

  /** A string and a node of a tree, and both again in the answer. */
  private static final int NAME_BYTES = 200;

  /** A line that was not merged. */
  record Refused(long line, String reason, String message) {}

  private final int lineBytes;
  private final int sliceBuckets;
  private final SeriesStore store;
  private final ImportTarget target;
  private final IntervalLogReader reader;
  private final List<IntervalLogLine> slice = new ArrayList<>();
  private int sliceSize;
  private final List<Refused> refused = new ArrayList<>();
  private final Map<String, Long> refusedByReason = new TreeMap<>();
  private final Set<String> series = new TreeSet<>();
  private long namesBytes;
  private long mergedLines;

  /**
   * A log of which nothing has been read.
   *
   * @param heapBytes what may be held of it at a time, beside one interval as long as any
   */
  IntervalLogImport(SeriesStore store, ImportTarget target, InputStream log, long heapBytes) {
    this.store = store;
    this.target = target;
    this.namesBytes = heapBytes / 8;
    this.sliceBuckets = (int) Math.min(SLICE_BUCKETS, heapBytes / 4 / BUCKET_BYTES);
    this.lineBytes =
        (int) Math.max(LEAST_LINE_BYTES, Math.min(MAX_LINE_BYTES, heapBytes / 8 * 3 / LINE_COPIES));
    this.reader = new IntervalLogReader(log, lineBytes, store.config().maxCounters());
    for (int i = 0; i < SLICE_LINES; i++) {
      slice.add(new IntervalLogLine());
    }
  }

  /** Worker: reads the next lines; false when there are none. */
  boolean readSlice() throws IOException {
    sliceSize = 0;
    int buckets = 0;
    while (sliceSize < SLICE_LINES && buckets < sliceBuckets) {
      try {
        IntervalLogLine interval = empty(sliceSize);
        if (!reader.next(interval)) {
          break;
        }
        buckets += interval.histogram().counts().size();
        sliceSize++;
      } catch (MalformedLogLineException e) {
        refuse(e.line(), e.reason(), explained(e));
      }
    }
    return sliceSize > 0;
  }

  private IntervalLogLine empty(int i) {
    if (slice.get(i).histogram().counts().size() > sliceBuckets / SLICE_LINES) {
      slice.set(i, new IntervalLogLine());
    }
    return slice.get(i);
  }

  private String explained(MalformedLogLineException e) {
    String advice = "";
    if (e.reason().equals(RejectReason.CONFIGURATION_LIMIT.label())) {
      advice = ", or raise series.max-counters";
    } else if (e.reason().equals(MalformedLogLineException.LINE_TOO_LONG)) {
      advice =
          lineBytes < MAX_LINE_BYTES
              ? "; a larger heap of the sidecar reads up to " + MAX_LINE_BYTES
              : "; record with fewer significant digits, or look at it with `log explore`";
    }
    return e.getMessage() + advice;
  }

  /** Merge context: adds what was read. */
  void mergeSlice() {
    for (int i = 0; i < sliceSize; i++) {
      IntervalLogLine interval = slice.get(i);
      try {
        merge(interval);
        mergedLines++;
      } catch (RefusedException e) {
        store.countRejected(e.reason());
        refuse(interval.line(), e.reason().label(), String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException e) {
        refuse(interval.line(), MalformedLogLineException.BAD_TAG, String.valueOf(e.getMessage()));
      }
    }
  }

  private void merge(IntervalLogLine interval) throws RefusedException {
    DecodedHistogram histogram = interval.histogram();
    Series into =
        store.register(
            new SeriesDefinition(
                target.keyOf(interval.tag()),
                target.unit(),
                "",
                histogram.layout(),
                histogram.highestTrackableValue()));
    store.mergeWithoutSumMinMax(into, histogram, interval.startMillis(), interval.endMillis());
    addName(into.key().toString());
  }

  /** As many as there is room for. */
  private void addName(String name) {
    long bytes = NAME_BYTES + 2L * name.length();
    if (bytes <= namesBytes && series.add(name)) {
      namesBytes -= bytes;
    }
  }

  private void refuse(long line, String reason, String message) {
    refusedByReason.merge(reason, 1L, Long::sum);
    if (refused.size() < MAX_REFUSED_TOLD) {
      refused.add(new Refused(line, reason, message));
    }
  }

  long mergedLines() {
    return mergedLines;
  }

  /** How many lines were refused, by reason. */
  Map<String, Long> refusedByReason() {
    return refusedByReason;
  }

  /** The first refused lines, at most {@value #MAX_REFUSED_TOLD}, in their order. */
  List<Refused> refused() {
    return refused.stream().sorted(Comparator.comparingLong(Refused::line)).toList();
  }

  /** The series that were added to, the first ones if they are very many. */
  Set<String> series() {
    return series;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
