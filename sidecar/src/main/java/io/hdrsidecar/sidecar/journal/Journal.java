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
import io.hdrsidecar.sidecar.memory.OutOfMemory;
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
import java.util.ArrayDeque;
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

  /** Small enough that a client whose window is full does not wait for the flush interval. */
  private static final int BATCH_BYTES = 64 << 10;

  /** Of series that have ended, as many are known by their labels as may live, at least. */
  static final int PAST_SERIES_A_LIVING = 2;

  private static final int MAX_COUNTERS = Integer.MAX_VALUE >> 4;
  private static final long CLOSE_MILLIS = 10_000;

  private final JournalConfig config;
  private final SeriesStore store;
  private final JournalClock clock;
  private final JournalDirectory directory;
  private final JournalHealth health;
  private final JournalLimits limits = JournalLimits.of(HeapBudget.ofThisProcess());
  private final @Nullable JournalPast past;
  private final SequenceMemory sequences;
  private final JournalTail tail;
  private final HistogramEncoder encoder = new HistogramEncoder();
  private final LoggedSeries series = new LoggedSeries();
  private final ArrayDeque<Batch> spare = new ArrayDeque<>();
  private final DurableTasks waiting = new DurableTasks();
  private Map<InstanceId, RememberedInstance> restored = Map.of();
  private Batch open = new Batch();
  private volatile @Nullable JournalWriter writer;
  private @Nullable Thread thread;
  private @Nullable Checkpointing checkpoints;
  private Executor mergeContext = Runnable::run;
  private Runnable onDurable = () -> {};
  private boolean checkpointDue;
  private volatile long lastRecord;
  private volatile long queuedBytes;
  private long durableRecord;

  private Journal(
      JournalConfig config,
      SeriesStore store,
      JournalClock clock,
      boolean readable,
      JournalTail tail) {
    this.config = config;
    this.tail = tail;
    this.store = store;
    this.clock = clock;
    this.directory = new JournalDirectory(config.directory());
    this.health = new JournalHealth(config.degrade(), clock.wallClock());
    this.sequences =
        new SequenceMemory(config.maxInstances(), config.instanceMemory(), System::nanoTime);
    this.past =
        readable
            ? new JournalPast(PAST_SERIES_A_LIVING * store.config().maxSeries(), limits.pastBytes())
            : null;
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
      journal.directory.close();
      throw e;
    }
    store.writeTo(journal);
    store.expireIdle(); // What idled too long by now ends before anybody sees it.
    JournalPast past = journal.past;
    if (past != null) {
      store.past().readFrom(past.files());
    }
    return journal;
  }

  private void recover() throws IOException {
    directory.requireFiles();
    try {
      directory.claim();
      directory.deleteTemporary();
    } catch (DirectoryInUseException e) {
      throw e;
    } catch (IOException e) {
      health.note("cannot write to " + config.directory(), e);
    }
    try (HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS, new StreamInflater())) {
      Replay replay = new Replay(directory, store, sequences, decoder, clock, past != null, tail);
      RecoveryReport report = replay.run();
      lastRecord = replay.lastRecord();
      durableRecord = lastRecord;
      checkpointDue = replay.foundRecords();
      Map<InstanceId, RememberedInstance> remembered = new HashMap<>();
      sequences.forEach(remembered::put);
      restored = remembered;
      health.recovered(report, lastRecord);
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
    if (past != null) {
      past.start(directory);
    }
    Checkpointing checkpointing =
        new Checkpointing(
            config,
            directory,
            store,
            clock,
            health,
            sequences,
            tail,
            past,
            checkpointDue || lastRecord > durableRecord);
    JournalWriter newWriter =
        new JournalWriter(
            config,
            health,
            sequences,
            new JournalOutput(
                config, limits, series::livingBytes, directory, clock.another(), health, past),
            checkpointing,
            durableRecord,
            batch -> onMergeContext(() -> settled(batch)),
            () -> onMergeContext(this::handOver));
    Thread newThread = new Thread(newWriter, "hdr-sidecar-journal");
    newThread.setDaemon(true);
    newThread.setUncaughtExceptionHandler(
        (ended, error) -> {
          OutOfMemory.endIfIn(error);
          health.died(error);
        });
    checkpoints = checkpointing;
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
      IntervalCounts figures,
      long startMillis,
      long endMillis) {
    handOverIfLarge();
    BucketLayout layout = histogram.layout();
    long highest = histogram.highestTrackableValue();
    ByteBuffer payload = BucketsPayload.of(encoder, histogram.counts(), layout, highest);
    long record = lastRecord + 1;
    open.addInterval(
        record,
        sender,
        sequence,
        series.living(ofSeries, layout, highest),
        figures,
        startMillis,
        endMillis,
        payload);
    lastRecord = record;
    return record;
  }

  @Override
  public void appendGoodbye(InstanceId sender) {
    handOverIfLarge();
    long record = lastRecord + 1;
    open.addGoodbye(record, sender);
    lastRecord = record;
  }

  @Override
  public long appendEnd(Series ended) {
    handOverIfLarge();
    long record = lastRecord + 1;
    open.addSeriesEnd(record, series.ended(ended));
    lastRecord = record;
    return record;
  }

  private void handOverIfLarge() {
    if (open.size() >= BATCH_BYTES) {
      handOver();
    }
  }

  /** Merge context: gives the writer what there is. */
  private void handOver() {
    JournalWriter to = writer;
    if (to != null && !open.isEmpty()) {
      queue(open.size());
      to.add(open);
      Batch reused = spare.poll();
      open = reused == null ? new Batch() : reused;
    }
  }

  /** Merge context, the only one that writes it. */
  private void queue(int moreBytes) {
    long bytes = queuedBytes + moreBytes;
    queuedBytes = bytes;
  }

  /** Merge context: a batch waits no longer. */
  private void settled(Batch batch) {
    durableRecord = batch.lastRecord();
    queue(-batch.size());
    if (spare.size() < limits.keptBatches()) {
      batch.clear();
      spare.add(batch);
    }
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
    return queuedBytes >= config.maxQueuedBytes();
  }

  /** How the journal is doing. Any thread. */
  public JournalStatus status() {
    return health.status(lastRecord, queuedBytes);
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
            handOver();
            writer = null;
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
    if (past != null) {
      past.close();
    }
    closeDirectory();
  }

  private void closeDirectory() {
    encoder.close();
    try {
      directory.close();
    } catch (IOException e) {
      health.note("cannot release " + config.directory(), e);
    }
  }
}
