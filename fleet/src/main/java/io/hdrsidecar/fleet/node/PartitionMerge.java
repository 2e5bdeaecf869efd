package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.node.NodeCounters.Skip;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.InstanceHeader;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.receive.IntervalCheck;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Merges the intervals of one partition. Between two commits they are added up on the heap; in the
 * commit the sums, and the numbers up to which they go, are written to the stores ({@link #write});
 * after it the view gets the sums ({@link #committed}). So number, sum and position in the topic
 * are of one transaction, and the node that takes the partition over finds them as one.
 *
 * <p>Time is that of the topic, the latest at which a record was appended: a node that was away for
 * an hour must not find that nothing has happened meanwhile. Where all records are read, it is that
 * of the partitions of this node that still get some.
 *
 * <p>A record that no gateway has written is named, counted and skipped; nothing that is on a topic
 * can stop a partition. One thread.
 */
final class PartitionMerge
    implements Processor<byte[], byte[], Void, Void>, CommitListener.Partition {
  /** Each is looked at about once a minute, a commit every ten seconds. */
  private static final int LOOKS_EACH = 6;

  private static final int LEAST_LOOKS = 64;

  /** Of descriptions, series, steps and numbers. */
  private static final int UPKEEPS = 4;

  /** So that a commit comes, and time passes, without records. */
  private static final Duration COMMIT_LOOK = Duration.ofSeconds(1);

  private final NodeParts parts;
  private final MergeLimits limits;
  private final NodeCounters counters;
  private final SkippedRecords skipped;
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final IntervalFrame frame = new IntervalFrame();
  private final Map<Bytes, PendingSeries> series = new HashMap<>();
  private final List<PendingSeries> changed = new ArrayList<>();
  private final List<CommittedChange> written = new ArrayList<>();
  private long pendingBytes;
  private long storedSeries;
  private @Nullable Opened opened;

  /** What there is between assignment and its end; after an error there may be another one. */
  private record Opened(
      ProcessorContext<Void, Void> context,
      int partition,
      Totals totals,
      StoreWalk walk,
      Descriptions descriptions,
      ReadPosition position,
      TopicTime time,
      InstanceNumbers numbers,
      Steps steps,
      HistogramDecoder decoder,
      SeriesWriting writing,
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
    KeyValueStore<Bytes, byte[]> counted = context.getStateStore(NodeTopology.TOTALS);
    SumBytes sums = new SumBytes();
    Steps past = new Steps(steps, parts.time(), sums, parts.memory().spans());
    Totals totals = new Totals(counted, past, sums);
    Descriptions said = new Descriptions(context.getStateStore(NodeTopology.DESCRIPTIONS));
    Opened now =
        new Opened(
            context,
            context.taskId().partition(),
            totals,
            new StoreWalk(counted, null),
            said,
            new ReadPosition(numbers, parts.intervalsId(), counters),
            new TopicTime(numbers, limits.idleMillis()),
            new InstanceNumbers(numbers, parts.memory().numbers()),
            past,
            new HistogramDecoder(limits.maxCounters(), new StreamInflater()),
            new SeriesWriting(totals, past, said, limits.maxLayouts(), counters),
            sums);
    opened = now;
    now.steps().open();
    restoreView(now);
    parts.past().add(now.partition(), now.steps().spans());
    parts.view().isWhole(now.partition());
    commit.onCommit(() -> parts.commits().write(this::write));
    parts.commits().add(this);
    context.schedule(COMMIT_LOOK, PunctuationType.WALL_CLOCK_TIME, timestamp -> passTime());
    counters.partition(1);
  }

  private void restoreView(Opened now) {
    ViewRestore restore = new ViewRestore(parts.view(), now.partition());
    restore.run(now.totals(), now.descriptions(), limits.windowMillis());
    storedSeries = restore.series();
    now.time().passes(restore.newestMillis());
  }

  /** Where nothing comes any more, series end and steps grow old as well. */
  private void passTime() {
    Opened now = opened();
    TopicEnds ends = parts.commits().ends();
    TopicPartition intervals = new TopicPartition(parts.topics().intervals(), now.partition());
    if (ends.isAt(intervals, now.position().next())) {
      now.time().passes(ends.newestMillis());
    }
  }

  private Opened opened() {
    return Objects.requireNonNull(opened, "opened");
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata at = opened().context().recordMetadata().orElseThrow();
    try {
      if (at.topic().equals(parts.topics().series())) {
        byte[] key = required(record.key(), "key");
        holds(opened().descriptions().take(key, record.value(), cameMillis(record)));
        PendingSeries of = series.get(Bytes.wrap(key));
        if (of != null) {
          of.said(null);
        }
        commitIfFull();
      } else if (opened().position().take(at)) {
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

  /** A broker stamps records as they are appended; one that a producer has stamped may lie. */
  private static long cameMillis(Record<byte[], byte[]> record) {
    return Math.max(0, Math.min(record.timestamp(), System.currentTimeMillis()));
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
    long came = cameMillis(record);
    opened().time().passes(came);
    parts.commits().ends().came(came);
    long nowMillis = opened().time().nowMillis();
    // Not when it came: by a clock that is behind, it would have been idle for long already.
    add(of, nowMillis);
    numbers.settle(instance, frame.sequence(), nowMillis);
    boolean isLate = came - Math.max(0, frame.endMillis()) > limits.lateMillis();
    counters.merged(frame.count(), isLate);
    commitIfFull();
  }

  private void commitIfFull() {
    long ofNumbers = opened().numbers().changed() * InstanceNumbers.ENTRY_BYTES;
    if (pendingBytes + ofNumbers > limits.pendingBytes()) {
      opened().context().commit();
    }
  }

  private void add(PendingSeries of, long seen) {
    if (of.isEmpty()) {
      changed.add(of); // Also if this one has no room.
      if (series.putIfAbsent(Bytes.wrap(of.key()), of) == null) {
        holds(of.heldBytes());
      }
    }
    long start = parts.time().stepOf(frame.startMillis(), frame.endMillis(), seen);
    PendingStep step = of.step(start);
    boolean isNew = step.sum().isEmpty();
    if (!step.sum().hasPlaceFor(decoded.layout(), limits.maxLayouts())) {
      throw new ArithmeticException();
    }
    long grown = step.sum().add(decoded, frame.sumMinMax(), frame.exemplar(), seen);
    step.cover(frame.startMillis(), frame.endMillis());
    holds(grown + (isNew ? SeriesSum.OBJECT_BYTES : 0));
  }

  private void holds(long more) {
    pendingBytes += more;
    counters.pending(more);
  }

  /** What is pending of a series. Keys that were read are remembered, as long as there is room. */
  private PendingSeries pending(byte[] key) throws MalformedRecordException {
    PendingSeries known = series.get(Bytes.wrap(key));
    return known == null ? new PendingSeries(FleetSeries.read(key), key) : known;
  }

  /** In the commit: everything to the stores. */
  private void write() {
    Opened now = opened();
    now.descriptions().write();
    for (PendingSeries each : changed) {
      write(now, each);
      remember(each);
    }
    changed.clear();
    holds(-pendingBytes);
    now.position().write();
    now.time().write();
    now.numbers().write();
    long nowMillis = now.time().nowMillis();
    age(now, nowMillis);
    endIdle(now);
    now.numbers().forget(upkeep(LEAST_LOOKS), nowMillis - limits.instanceMillis());
  }

  private void age(Opened now, long nowMillis) {
    StepSpans spans = now.steps().spans();
    spans.walk(
        upkeep(spans.all().size()),
        span -> {
          now.totals().catchUp(span, nowMillis);
          now.steps().age(span, nowMillis);
        });
  }

  private Upkeep upkeep(long among) {
    return parts.commits().upkeep(Math.max(LEAST_LOOKS, among / LOOKS_EACH), UPKEEPS);
  }

  private void remember(PendingSeries each) {
    if (!each.isRemembered()) {
      if (parts.memory().keys().tryTakeUncounted(each.heldBytes())) {
        each.remembered();
      } else {
        series.remove(Bytes.wrap(each.key()));
      }
    }
  }

  private void forget(Bytes key) {
    PendingSeries known = series.remove(key);
    if (known != null && known.isRemembered()) {
      parts.memory().keys().release(known.heldBytes());
    }
  }

  private void write(Opened now, PendingSeries each) {
    MergedSeries merged =
        now.writing()
            .write(
                each,
                now.time().nowMillis(),
                lost ->
                    skipped.skip(
                        Skip.NO_ROOM,
                        now.context().recordMetadata().orElseThrow(),
                        "no room in "
                            + each.series().key()
                            + " for "
                            + lost
                            + " values of a layout"));
    if (merged != null) {
      written.add(merged);
      storedSeries += merged.isNew() ? 1 : 0;
    }
  }

  /** Some of the series: those without intervals for long end. */
  private void endIdle(Opened now) {
    if (limits.idleMillis() == 0) {
      return;
    }
    long before = now.time().idleBefore();
    now.descriptions().forget(upkeep(storedSeries), before, now.totals().store());
    List<Bytes> idle = new ArrayList<>();
    now.walk()
        .goOn(
            upkeep(storedSeries),
            next -> {
              if (now.totals().isIdle(next.key, next.value, before)) {
                idle.add(next.key);
              }
            });
    for (Bytes key : idle) {
      now.totals().end(key);
      forget(key);
      written.add(new CommittedChange.Ended(FleetSeries.ofStore(key.get())));
    }
    storedSeries -= idle.size();
  }

  @Override
  public int number() {
    return opened().partition();
  }

  @Override
  public boolean isWritten() {
    return changed.isEmpty() && opened().descriptions().isWritten();
  }

  @Override
  public void committed() {
    opened().position().committed();
    if (!written.isEmpty()) {
      counters.committed(written.stream().filter(CommittedChange.Ended.class::isInstance).count());
      parts.view().publish(number(), List.copyOf(written), storedSeries);
      written.clear();
    }
  }

  /** What is not committed is forgotten: the next node reads it from the topic again. */
  @Override
  public void close() {
    Opened now = opened;
    if (now != null) {
      opened = null;
      counters.partition(-1);
      parts.commits().remove(this);
      parts.view().leaves(now.partition());
      parts.past().remove(now.partition());
      parts.view().remove(now.partition());
      now.decoder().close();
      now.sums().close();
      now.numbers().close();
      now.steps().spans().close();
      List.copyOf(series.keySet()).forEach(this::forget);
    }
    holds(-pendingBytes);
    changed.clear();
    written.clear();
    series.clear();
  }
}
