package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.journal.BucketsPayload;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.inflate.StreamInflater;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.DurableTasks;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The journal of one sidecar.
 *
 * <p>{@link #open} brings the store back to where the last run ended. Then {@link #start} begins to
 * write what is merged. Appending copies an interval into a batch; a batch goes to the writer after
 * the flush interval at the latest, or earlier when it is large, and comes back when it is flushed.
 * What a batch handed over holds has been merged, as handing over is the first thing an append
 * does.
 */
public final class Journal implements IntervalLog, AutoCloseable {
  private static final Logger LOG = System.getLogger(Journal.class.getName());

  /** Of series that have ended, as many are known by their labels as may live, at least. */
  static final int PAST_SERIES_A_LIVING = 2;

  private static final int MAX_COUNTERS = Integer.MAX_VALUE >> 4;
  private static final long CLOSE_MILLIS = 10_000;

  private final JournalContext shared;
  private final BatchQueue batches;
  private final HistogramEncoder encoder = new HistogramEncoder();
  private final LoggedSeries series = new LoggedSeries();
  private final DurableTasks waiting = new DurableTasks();
  private Map<InstanceId, RememberedInstance> restored = Map.of();
  private @Nullable JournalWriter writer;
  private @Nullable Thread thread;
  private @Nullable Checkpointing checkpoints;
  private Executor mergeContext = Runnable::run;
  private Runnable onDurable = () -> {};
  private boolean checkpointDue;
  private volatile long lastRecord;
  private long durableRecord;

  private Journal(
      JournalConfig config,
      SeriesStore store,
      JournalClock clock,
      boolean readable,
      JournalTail tail) {
    JournalLimits limits = JournalLimits.of(HeapBudget.ofThisProcess());
    this.shared =
        new JournalContext(
            config,
            store,
            clock,
            new JournalDirectory(config.directory()),
            new JournalHealth(config.degrade(), clock.wallClock()),
            limits,
            new SequenceMemory(config.maxInstances(), config.instanceMemory(), System::nanoTime),
            readable
                ? new JournalPast(
                    PAST_SERIES_A_LIVING * store.config().maxSeries(), limits.pastBytes())
                : null,
            tail);
    this.batches = new BatchQueue(limits.keptBatches());
  }

  /**
   * Reads what is there into an empty store, and makes the store write to this journal. Blocks, for
   * seconds if there is much. Before anything else uses the store.
   *
   * @throws DirectoryInUseException when another sidecar has the directory
   * @throws IOException when there are files that cannot be read; a directory that cannot be
   *     written is no reason, the journal starts degraded
   */
  public static Journal open(JournalConfig config, SeriesStore store, InstantSource clock)
      throws IOException {
    return open(config, store, clock, false, JournalTail.NONE);
  }

  /**
   * The same.
   *
   * @param readable whether the store may read the past in it, which takes an index of each file
   * @param tail who takes what is merged along
   */
  public static Journal open(
      JournalConfig config,
      SeriesStore store,
      InstantSource clock,
      boolean readable,
      JournalTail tail)
      throws IOException {
    return open(config, store, new JournalClock(clock, Uptime.ofThisMachine()), readable, tail);
  }

  static Journal open(
      JournalConfig config,
      SeriesStore store,
      JournalClock clock,
      boolean readable,
      JournalTail tail)
      throws IOException {
    Journal journal = new Journal(config, store, clock, readable, tail);
    try {
      journal.recover();
    } catch (IOException | RuntimeException e) {
      journal.shared.directory().close();
      throw e;
    }
    store.writeTo(journal);
    store.expireIdle(); // What idled too long by now ends before anybody sees it.
    JournalPast past = journal.shared.past();
    if (past != null) {
      store.past().readFrom(past.files());
    }
    return journal;
  }

  private void recover() throws IOException {
    JournalDirectory directory = shared.directory();
    directory.requireFiles();
    try {
      directory.claim();
      directory.deleteTemporary();
    } catch (DirectoryInUseException e) {
      throw e;
    } catch (IOException e) {
      shared.health().note("cannot write to " + shared.config().directory(), e);
    }
    try (HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS, new StreamInflater())) {
      Replay replay = new Replay(shared, decoder);
      RecoveryReport report = replay.run();
      lastRecord = replay.lastRecord();
      durableRecord = lastRecord;
      checkpointDue = replay.foundRecords();
      Map<InstanceId, RememberedInstance> remembered = new HashMap<>();
      shared.sequences().forEach(remembered::put);
      restored = remembered;
      shared.health().recovered(report, lastRecord);
      LOG.log(
          Level.INFO,
          "event=journal_replayed series={0} checkpoint_totals={1} records={2} damaged={3}"
              + " missing={4} torn_bytes={5} took_ms={6}",
          report.series(),
          report.checkpointTotals(),
          report.records(),
          report.damaged(),
          report.missing(),
          report.tornBytes(),
          report.took().toMillis());
    }
  }

  /** The clients known from before, with their last sequence numbers. Until {@link #start}. */
  public Map<InstanceId, RememberedInstance> remembered() {
    return restored;
  }

  @Override
  public void start(Executor context, Runnable durableListener) {
    restored = Map.of();
    mergeContext = context;
    onDurable = durableListener;
    JournalPast past = shared.past();
    if (past != null) {
      past.start(shared.directory());
    }
    Checkpointing checkpointing =
        new Checkpointing(shared, checkpointDue || lastRecord > durableRecord);
    JournalWriter newWriter =
        new JournalWriter(
            shared,
            new JournalOutput(shared, series::livingBytes),
            checkpointing,
            durableRecord,
            batch -> onMergeContext(() -> settled(batch)),
            () -> onMergeContext(batches::handOver));
    Thread newThread = newWriter.newThread();
    checkpoints = checkpointing;
    batches.writeBy(newWriter);
    writer = newWriter;
    thread = newThread;
    newThread.start();
  }

  private void onMergeContext(Runnable task) {
    try {
      mergeContext.execute(task);
    } catch (RejectedExecutionException e) {
      // The merge context has ended, and with it everything that could wait for this.
      LOG.log(Level.DEBUG, "event=journal_nobody_waits", e);
    }
  }

  @Override
  public long append(
      InstanceId sender,
      long sequence,
      Series ofSeries,
      DecodedHistogram histogram,
      IntervalCounts interval,
      long startMillis,
      long endMillis) {
    Batch batch = batches.toFill();
    BucketLayout layout = histogram.layout();
    long highest = histogram.highestTrackableValue();
    ByteBuffer payload = BucketsPayload.of(encoder, histogram.counts(), layout, highest);
    long record = lastRecord + 1;
    batch.addInterval(
        record,
        sender,
        sequence,
        series.living(ofSeries, layout, highest),
        interval,
        startMillis,
        endMillis,
        payload);
    lastRecord = record;
    return record;
  }

  @Override
  public void appendGoodbye(InstanceId sender) {
    Batch batch = batches.toFill();
    long record = lastRecord + 1;
    batch.addGoodbye(record, sender);
    lastRecord = record;
  }

  @Override
  public long appendEnd(Series ended) {
    Batch batch = batches.toFill();
    long record = lastRecord + 1;
    batch.addSeriesEnd(record, series.ended(ended));
    lastRecord = record;
    return record;
  }

  /** Merge context: a batch waits no longer. */
  private void settled(Batch batch) {
    durableRecord = batch.lastRecord();
    batches.settled(batch);
    onDurable.run();
    waiting.run(durableRecord);
  }

  @Override
  public long lastRecord() {
    return lastRecord;
  }

  @Override
  public long durableRecord() {
    return durableRecord;
  }

  @Override
  public void whenDurable(Runnable task) {
    if (durableRecord >= lastRecord) {
      task.run();
    } else {
      waiting.add(lastRecord, task);
    }
  }

  @Override
  public boolean isFull() {
    return batches.queuedBytes() >= shared.config().maxQueuedBytes();
  }

  /** How the journal is doing. Any thread. */
  public JournalStatus status() {
    return shared.health().status(lastRecord, batches.queuedBytes());
  }

  /** Its metrics. */
  public List<Metric> metrics() {
    return JournalStatus.metrics(this::status);
  }

  /**
   * Writes what is left and ends. When nothing is merged any more, and before the merge context
   * ends; blocks. Idempotent.
   */
  @Override
  public void close() {
    JournalWriter ending = writer;
    Thread running = thread;
    Checkpointing checkpointing = checkpoints;
    if (ending != null && running != null && checkpointing != null) {
      CountDownLatch handedOver = new CountDownLatch(1);
      onMergeContext(
          () -> {
            batches.handOver();
            batches.writeBy(null);
            handedOver.countDown();
          });
      try {
        if (!handedOver.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
          LOG.log(Level.WARNING, "event=journal_stop_incomplete");
        }
        ending.close();
        running.join(CLOSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      checkpointing.close();
      thread = null;
    }
    JournalPast past = shared.past();
    if (past != null) {
      past.close();
    }
    closeDirectory();
  }

  private void closeDirectory() {
    encoder.close();
    try {
      shared.directory().close();
    } catch (IOException e) {
      shared.health().note("cannot release " + shared.config().directory(), e);
    }
  }
}
