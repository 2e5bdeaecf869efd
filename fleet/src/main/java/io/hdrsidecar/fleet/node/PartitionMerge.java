package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.node.NodeCounters.Skip;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.receive.IntervalCheck;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Merges the intervals of one partition. Between two commits they are added up on the heap; in the
 * commit the sums, and the numbers up to which they go, are written to the stores ({@link #write});
 * after it the view gets the sums ({@link #committed}). So number, sum and position in the topic
 * are of one transaction, and whoever takes the partition over finds them as one.
 *
 * <p>Time is that of the topic, the latest at which a record was appended: a node that was away for
 * an hour must not find that nothing has happened meanwhile.
 *
 * <p>A record that no gateway has written is named, counted and skipped; nothing that is on a topic
 * can stop a partition. One thread.
 */
final class PartitionMerge
    implements Processor<byte[], byte[], Void, Void>, CommitListener.Partition {
  /** Each is looked at about once a minute, a commit every five seconds. */
  private static final int LOOKS_EACH = 12;

  private static final int LEAST_LOOKS = 64;
  private static final int MOST_REMEMBERED = 1 << 16;

  /** So that a commit comes, and time passes, without records. */
  private static final Duration COMMIT_LOOK = Duration.ofSeconds(1);

  private static final BucketLayout ANY_LAYOUT = BucketLayout.of(1, 0);
  private static final int RESTORED_AT_ONCE = 256;
  private static final SeriesDescription UNDESCRIBED = new SeriesDescription("", 0);

  private final NodeParts parts;
  private final MergeLimits limits;
  private final NodeCounters counters;
  private final SkippedRecords skipped;
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final IntervalFrame frame = new IntervalFrame();
  private final Map<Bytes, PendingSeries> series = new HashMap<>();
  private final List<PendingSeries> changed = new ArrayList<>();
  private final List<MergedSeries> merged = new ArrayList<>();
  private final List<FleetSeries> ended = new ArrayList<>();
  private long pendingBytes;
  private long nowMillis;
  private @Nullable Bytes lookedAt;
  private @Nullable Opened opened;

  /** What there is between assignment and its end; after an error there may be another one. */
  private record Opened(
      ProcessorContext<Void, Void> context,
      int partition,
      KeyValueStore<Bytes, byte[]> totals,
      KeyValueStore<Bytes, byte[]> descriptions,
      InstanceNumbers numbers,
      Steps steps,
      HistogramDecoder decoder,
      SumBytes sums) {}

  PartitionMerge(NodeParts parts) {
    this.parts = parts;
    this.limits = parts.limits();
    this.counters = parts.counters();
    this.skipped = new SkippedRecords(counters);
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    KeyValueStore<Bytes, byte[]> steps = context.getStateStore(NodeTopology.STEPS);
    KeyValueStore<Bytes, byte[]> numbers = context.getStateStore(NodeTopology.NUMBERS);
    CommitStore commit = context.getStateStore(NodeTopology.COMMIT);
    SumBytes sums = new SumBytes();
    Opened now =
        new Opened(
            context,
            context.taskId().partition(),
            context.getStateStore(NodeTopology.TOTALS),
            context.getStateStore(NodeTopology.DESCRIPTIONS),
            new InstanceNumbers(numbers),
            new Steps(steps, parts.time(), sums),
            new HistogramDecoder(limits.maxCounters()),
            sums);
    opened = now;
    now.steps().open();
    restoreView(now);
    parts.past().add(now.partition(), now.steps().spans());
    commit.onCommit(this::write);
    parts.commits().add(this);
    context.schedule(COMMIT_LOOK, PunctuationType.WALL_CLOCK_TIME, timestamp -> {});
    counters.partition(1);
  }

  private void restoreView(Opened now) {
    long newest = 0;
    List<RestoredSeries> some = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = now.totals().all()) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        SeriesSum total = now.sums().read(next.value);
        newest = Math.max(newest, total.lastSeenMillis());
        some.add(
            new RestoredSeries(
                key(next.key.get()),
                description(now, next.key),
                total,
                recent(now, next.key.get())));
        if (some.size() == RESTORED_AT_ONCE) {
          parts.view().restore(now.partition(), some);
          some = new ArrayList<>();
        }
      }
    }
    parts.view().restore(now.partition(), some);
    nowMillis = newest;
  }

  private List<RestoredSeries.RecentStep> recent(Opened now, byte[] key) {
    long from = System.currentTimeMillis() - limits.windowMillis();
    return limits.windowMillis() == 0 ? List.of() : now.steps().since(key, Math.max(0, from));
  }

  private static FleetSeries key(byte[] bytes) {
    try {
      return FleetSeries.read(bytes);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a store has a damaged key: " + e.getMessage(), e);
    }
  }

  private static SeriesDescription description(Opened now, Bytes key) {
    byte[] value = now.descriptions().get(key);
    try {
      return value == null ? UNDESCRIBED : SeriesDescription.read(value);
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a store has a damaged description: " + e.getMessage(), e);
    }
  }

  private Opened opened() {
    return Objects.requireNonNull(opened, "opened");
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata at = opened().context().recordMetadata().orElseThrow();
    try {
      if (at.topic().equals(parts.seriesTopic())) {
        describe(record);
      } else {
        merge(record);
      }
    } catch (MalformedRecordException e) {
      skipped.skip(Skip.MALFORMED_RECORD, at, String.valueOf(e.getMessage()));
    } catch (MalformedFrameException e) {
      skipped.skip(Skip.MALFORMED_INTERVAL, at, String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      skipped.skip(Skip.MISMATCH, at, String.valueOf(e.getMessage()));
    } catch (ArithmeticException e) {
      skipped.skip(Skip.NO_ROOM, at, "the count of a commit would overflow");
    }
  }

  private void describe(Record<byte[], byte[]> record) throws MalformedRecordException {
    byte[] key = required(record.key(), "key");
    byte[] value = required(record.value(), "value");
    FleetSeries of = FleetSeries.read(key);
    SeriesDescription said = SeriesDescription.read(value);
    try {
      new SeriesDefinition(
          of.key(), of.unit(), said.help(), ANY_LAYOUT, said.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordException("description cannot be used: " + e.getMessage());
    }
    opened().descriptions().put(Bytes.wrap(key), value);
  }

  private static byte[] required(byte @Nullable [] bytes, String what)
      throws MalformedRecordException {
    if (bytes == null) {
      throw new MalformedRecordException("record must have a " + what);
    }
    return bytes;
  }

  private void merge(Record<byte[], byte[]> record)
      throws MalformedRecordException, MalformedFrameException, RefusedException {
    byte[] key = required(record.key(), "key");
    byte[] value = required(record.value(), "value");
    InstanceId instance = InstanceHeader.read(record.headers());
    PendingSeries of = pending(key);
    frame.read(ByteBuffer.wrap(value), 0, value.length);
    if (frame.sequence() < 1) {
      throw new MalformedRecordException("number must be 1 or more: " + frame.sequence());
    }
    InstanceNumbers numbers = opened().numbers();
    if (frame.sequence() <= numbers.last(instance)) {
      counters.duplicate();
      return;
    }
    opened().decoder().decode(value, frame.payloadOffset(), frame.payloadLength(), decoded);
    IntervalCheck.require(frame, decoded);
    // A broker stamps records as they are appended; one that a producer has stamped may lie.
    long came = Math.max(0, Math.min(record.timestamp(), System.currentTimeMillis()));
    nowMillis = Math.max(nowMillis, came);
    // Not when it came: by a clock that is behind, it would have been idle for long already.
    add(of, nowMillis);
    numbers.settle(instance, frame.sequence(), nowMillis);
    boolean isLate = came - Math.max(0, frame.endMillis()) > limits.lateMillis();
    counters.merged(frame.count(), isLate);
    if (pendingBytes + numbers.changed() * InstanceNumbers.ENTRY_BYTES > limits.pendingBytes()) {
      opened().context().commit();
    }
  }

  private void add(PendingSeries of, long seen) {
    if (of.isEmpty()) {
      changed.add(of); // Also if this one has no room.
    }
    long start = parts.time().stepOf(frame.startMillis(), frame.endMillis(), nowMillis);
    PendingStep step = of.step(start);
    boolean isNew = step.sum().isEmpty();
    if (!step.sum().hasPlaceFor(decoded.layout(), limits.maxLayouts())) {
      throw new ArithmeticException();
    }
    long grown = step.sum().add(decoded, frame.figures(), frame.exemplar(), seen);
    step.cover(frame.startMillis(), frame.endMillis());
    holds(grown + (isNew ? SeriesSum.OBJECT_BYTES : 0));
  }

  private void holds(long more) {
    pendingBytes += more;
    counters.pending(more);
  }

  /** What is pending of a series. Keys that were read are remembered, as long as there is room. */
  private PendingSeries pending(byte[] key) throws MalformedRecordException {
    Bytes bytes = Bytes.wrap(key);
    PendingSeries known = series.get(bytes);
    if (known == null) {
      known = new PendingSeries(FleetSeries.read(key), key);
      if (series.size() >= MOST_REMEMBERED) {
        series.values().removeIf(PendingSeries::isEmpty);
      }
      series.put(bytes, known);
    }
    return known;
  }

  /** In the commit: everything to the stores. */
  private void write() {
    Opened now = opened();
    for (PendingSeries each : changed) {
      write(now, each);
    }
    changed.clear();
    holds(-pendingBytes);
    now.numbers().write();
    endIdle(now);
    int looks = Math.max(LEAST_LOOKS, now.steps().spans().all().size() / LOOKS_EACH);
    now.steps().age(looks, nowMillis);
    now.numbers().forget(LEAST_LOOKS, nowMillis - limits.instanceMillis());
  }

  private void write(Opened now, PendingSeries each) {
    Bytes key = Bytes.wrap(each.key());
    byte[] before = now.totals().get(key);
    SeriesSum total = before == null ? new SeriesSum() : now.sums().read(before);
    List<PendingStep> kept = new ArrayList<>();
    for (PendingStep step : each.take()) {
      if (step.sum().intervals() == 0) {
        continue; // What came for it had no room.
      }
      long lost = step.sum().removeWhatHasNoRoomIn(total, limits.maxLayouts());
      if (lost > 0) {
        skipped.skip(
            Skip.NO_ROOM,
            now.context().recordMetadata().orElseThrow(),
            "no room in " + each.series().key() + " for " + lost + " values of a layout");
      }
      if (!step.sum().isEmpty()) {
        total.add(step.sum());
        kept.add(step);
      }
    }
    if (!kept.isEmpty()) {
      now.totals().put(key, now.sums().write(total));
      kept.forEach(step -> now.steps().add(each.series(), each.key(), step, nowMillis));
      merged.add(
          new MergedSeries(
              each.series(), description(now, key), total.createdMillis(), List.copyOf(kept)));
    }
  }

  /** Some of the series: those without intervals for long end. */
  private void endIdle(Opened now) {
    if (limits.idleMillis() == 0) {
      return;
    }
    long before = nowMillis - limits.idleMillis();
    int looks = Math.max(LEAST_LOOKS, series.size() / LOOKS_EACH);
    List<Bytes> idle = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = now.totals().range(lookedAt, null)) {
      lookedAt = null;
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        if (looks-- == 0) {
          lookedAt = next.key;
          break;
        }
        if (SumBytes.lastSeenMillis(next.value) < before) {
          idle.add(next.key);
        }
      }
    }
    for (Bytes key : idle) {
      now.totals().delete(key);
      series.remove(key);
      ended.add(key(key.get()));
    }
  }

  @Override
  public int number() {
    return opened().partition();
  }

  @Override
  public boolean isWritten() {
    return changed.isEmpty();
  }

  @Override
  public void committed() {
    if (!merged.isEmpty() || !ended.isEmpty()) {
      counters.committed(ended.size());
      parts.view().publish(number(), List.copyOf(merged), List.copyOf(ended));
      merged.clear();
      ended.clear();
    }
  }

  /** What is not committed is forgotten: whoever is next reads it from the topic again. */
  @Override
  public void close() {
    Opened now = opened;
    if (now != null) {
      opened = null;
      counters.partition(-1);
      parts.commits().remove(this);
      parts.past().remove(now.partition());
      parts.view().remove(now.partition());
      now.decoder().close();
      now.sums().close();
    }
    holds(-pendingBytes);
    changed.clear();
    merged.clear();
    ended.clear();
    series.clear();
    lookedAt = null;
  }
}
