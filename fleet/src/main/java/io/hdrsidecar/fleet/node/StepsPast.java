package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The steps of the partitions of this node, as queries about the past read them. They may be ahead
 * of the view by a commit that is under way. Any thread.
 */
final class StepsPast implements PastSource {
  /** Gives the steps of all partitions of this node. */
  interface Stores {
    /**
     * What can be read now.
     *
     * @throws InvalidStateStoreException while partitions move
     */
    ReadOnlyKeyValueStore<Bytes, byte[]> steps();
  }

  private final Stores stores;
  private final Map<Integer, StepSpans> partitions = new ConcurrentHashMap<>();

  StepsPast(Stores stores) {
    this.stores = stores;
  }

  void add(int partition, StepSpans spans) {
    partitions.put(partition, spans);
  }

  void remove(int partition) {
    partitions.remove(partition);
  }

  @Override
  public String name() {
    return "steps";
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public HistoryExtent extent() {
    HistoryExtent extent = HistoryExtent.EMPTY;
    for (StepSpans.Span span : spans(Long.MIN_VALUE, Long.MAX_VALUE)) {
      extent = extent.and(new HistoryExtent(span.fromMillis(), span.toMillis()));
    }
    return extent;
  }

  private List<StepSpans.Span> spans(long fromMillis, long toMillis) {
    List<StepSpans.Span> found = new ArrayList<>();
    for (StepSpans spans : partitions.values()) {
      for (StepSpans.Span span : spans.all()) {
        if (span.fromMillis() < toMillis && span.toMillis() > fromMillis) {
          found.add(span);
        }
      }
    }
    return found;
  }

  @Override
  public PastReading open(long fromMillis, long toMillis) {
    return new StepsReading(fromMillis, toMillis);
  }

  private final class StepsReading implements PastReading {
    private final long fromMillis;
    private final long toMillis;
    private final List<String> warnings = new ArrayList<>();
    private final SumBytes sums = new SumBytes();

    StepsReading(long fromMillis, long toMillis) {
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
    }

    @Override
    public List<PastSeries> series() {
      return spans(fromMillis, toMillis).stream()
          .map(
              span ->
                  new PastSeries(
                      span.series().key(),
                      span.series().unit(),
                      "",
                      span.fromMillis(),
                      span.toMillis()))
          .toList();
    }

    @Override
    public boolean hasAll(long firstRecord, long lastRecord) {
      return true; // Nothing of it is in memory.
    }

    @Override
    public List<PastInterval> intervals(
        PastSeries series, Map<BucketLayout, RecordRanges> except, int limit) {
      List<PastInterval> found = new ArrayList<>();
      for (StepSpans.Span span : spans(fromMillis, toMillis)) {
        if (span.series().key().equals(series.key()) && span.series().unit() == series.unit()) {
          find(span, limit, found);
        }
      }
      return found;
    }

    private void find(StepSpans.Span span, int limit, List<PastInterval> into) {
      long from = Math.max(0, Math.max(fromMillis, span.fromMillis()) - StepLengths.LONGEST_MILLIS);
      long to = Math.min(toMillis, span.toMillis());
      try (KeyValueIterator<Bytes, byte[]> steps =
          stores
              .steps()
              .range(StepKey.of(span.key(), from), StepKey.of(span.key(), Math.max(from, to)))) {
        while (steps.hasNext() && into.size() <= limit) {
          KeyValue<Bytes, byte[]> step = steps.next();
          long start = StepKey.startMillis(step.key);
          long end = start + StepValue.length(step.value);
          if (start < toMillis && end > fromMillis) {
            into.add(new StoredStep(step.key, start, end, sums));
          }
        }
      } catch (InvalidStateStoreException e) {
        warnings.add("steps of " + series(span) + " cannot be read while partitions move");
      }
    }

    private static String series(StepSpans.Span span) {
      return span.series().key().toString();
    }

    @Override
    public List<String> warnings() {
      return warnings;
    }

    @Override
    public void close() {
      sums.close();
    }
  }

  private final class StoredStep implements PastInterval {
    private final Bytes key;
    private final long startMillis;
    private final long endMillis;
    private final SumBytes sums;

    StoredStep(Bytes key, long startMillis, long endMillis, SumBytes sums) {
      this.key = key;
      this.startMillis = startMillis;
      this.endMillis = endMillis;
      this.sums = sums;
    }

    @Override
    public long startMillis() {
      return startMillis;
    }

    @Override
    public long endMillis() {
      return endMillis;
    }

    @Override
    public void addTo(IntervalSum sum) throws IOException {
      byte[] value = value();
      for (SeriesSum.OfLayout part : StepValue.read(value, sums).whole().counted()) {
        SparseCounts counts = new SparseCounts();
        part.counts().counts().appendTo(counts);
        IntervalCounts counted = new IntervalCounts();
        counted.set(counts, part.counts().sumMinMax());
        sum.add(part.layout(), counted);
      }
    }

    private byte[] value() throws IOException {
      byte[] value;
      try {
        value = stores.steps().get(key);
      } catch (InvalidStateStoreException e) {
        throw new IOException("a step cannot be read while partitions move", e);
      }
      if (value == null || StepValue.length(value) != endMillis - startMillis) {
        throw new IOException("a step was added to a longer one meanwhile, ask again");
      }
      return value;
    }
  }
}
