package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.journal.JournalTail;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.upstream.UpstreamLedger.State;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands on what was merged to the next sidecar, as a client of it.
 *
 * <p>Every value is handed on once: what was merged is added up until the next batch is due. A
 * batch is offered once the journal has all of it, and stands in the outbox, under numbers, before
 * it is sent. The outbox says up to which record of the journal that is; at a start, what lies
 * behind is added up again. So a value stands in the outbox or behind its record, never in both.
 *
 * <p>Without a journal all of that is in memory, and ends with the process.
 */
public final class Upstream implements JournalTail, AutoCloseable {
  private static final Logger LOG = System.getLogger(Upstream.class.getName());
  private static final Duration STALL_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MIN_BACKOFF = Duration.ofMillis(200);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

  /** Of the outbox, whatever its share of the heap is; beyond that a start needs more memory. */
  private static final long LEAST_READABLE_BYTES = 4L << 20;

  private final UpstreamConfig config;
  private final @Nullable Outbox outbox;
  private final PendingSums sums;
  private final boolean isNew;
  private State before;
  private IntervalLog log = IntervalLog.NONE;
  private Executor mergeContext = Runnable::run;
  private volatile long taken;
  private volatile @Nullable UpstreamSender sender;
  private volatile boolean isOver;
  private long missingRecords;
  private long damagedValues;

  private Upstream(
      UpstreamConfig config, @Nullable Outbox outbox, HeapShare share, Predicate<String> isOwn)
      throws IOException {
    this.config = config;
    this.outbox = outbox;
    share.tryTake(share.maxBytes());
    this.sums = new PendingSums(share.maxBytes(), config.resource(), isOwn);
    State found = outbox == null ? null : found(outbox, share.maxBytes());
    this.isNew = found == null;
    this.before = found == null ? State.nothing(Long.MAX_VALUE) : found;
    this.taken = before.position();
  }

  /**
   * Reads what the last run left to be sent. Blocks.
   *
   * @param journal where the journal is; null for none
   * @param fsync whether what is written must survive a power failure
   * @param isOwn names of series that are this sidecar's own, and not handed on
   * @throws IOException when there is something that cannot be read
   */
  public static Upstream open(
      UpstreamConfig config,
      @Nullable Path journal,
      boolean fsync,
      HeapBudget heap,
      Predicate<String> isOwn)
      throws IOException {
    Outbox outbox = journal == null ? null : new Outbox(journal, fsync);
    return new Upstream(config, outbox, heap.share(Use.UPSTREAM), isOwn);
  }

  private @Nullable State found(Outbox in, long maxBytes) throws IOException {
    try {
      return in.read(Math.max(LEAST_READABLE_BYTES, 2 * maxBytes)).orElse(null);
    } catch (DamagedOutboxException e) {
      in.setAside();
      damagedValues = e.values();
      LOG.log(
          Level.ERROR,
          "event=upstream_outbox_damaged lost_values={0} problem={1}",
          String.valueOf(e.values()),
          e.getMessage());
      return State.nothing(e.position());
    }
  }

  @Override
  public long taken() {
    return taken;
  }

  @Override
  public void interval(SeriesDefinition definition, JournalLine line) {
    sums.replay(definition, line);
  }

  @Override
  public void missing(long records) {
    missingRecords += records;
    LOG.log(
        Level.WARNING,
        "event=upstream_records_missing records={0} problem=\"the journal no longer has what was"
            + " merged while nothing was handed on\"",
        String.valueOf(records));
  }

  /**
   * Follows what is merged from now on. After the journal was read, before the first merge. With
   * nothing left by a run before, it begins with what is merged now.
   */
  public void follow(SeriesStore store) {
    log = store.log();
    store.writeTo(new FollowedLog(log, sums));
    long last = log.lastRecord();
    before =
        new State(
            before.instance(),
            isNew ? last : Math.min(before.position(), last),
            before.lastSent(),
            before.intervals());
    taken = before.position();
    Outbox file = outbox;
    if (file != null) {
      try {
        file.replace(before);
      } catch (IOException e) {
        LOG.log(Level.ERROR, "event=upstream_outbox_unwritable", e);
      }
    }
  }

  /**
   * Begins to hand on.
   *
   * @param context the merge context
   * @param sidecar what this one is called among those that values pass
   * @param onPath told of those above, by another thread
   */
  public void start(Executor context, InstanceId sidecar, Consumer<List<InstanceId>> onPath) {
    mergeContext = context;
    UpstreamSenderConfig senderConfig =
        new UpstreamSenderConfig(
            sendConfig(), config.resource(), sidecar, onPath, new EventLogger(LOG));
    Outbox file = outbox;
    UpstreamSender sender =
        new UpstreamSender(
            senderConfig,
            file == null ? UpstreamLedger.NONE : new TakenLedger(file),
            before,
            this::askForBatch);
    before = State.nothing(0);
    sums.share(() -> sender.figures().frameBytes(), sender::hurry);
    this.sender = sender;
    sender.start(
        (thread, error) -> {
          OutOfMemory.endIfIn(error);
          LOG.log(Level.ERROR, "event=upstream_ended", error);
        });
  }

  private SendConfig sendConfig() {
    return new SendConfig(
        config.address(),
        /* enabled= */ true,
        config.interval(),
        Labels.empty(),
        config.token(),
        config.tls(),
        STALL_TIMEOUT,
        MIN_BACKOFF,
        MAX_BACKOFF,
        /* spill= */ null,
        /* crash= */ null,
        Clock.systemUTC(),
        System::nanoTime,
        new SplittableRandom());
  }

  /** Tells the journal from where on it is needed. */
  private final class TakenLedger implements UpstreamLedger {
    private final Outbox file;

    TakenLedger(Outbox file) {
      this.file = file;
    }

    @Override
    public void replace(State state) throws IOException {
      file.replace(state);
      taken = state.position();
    }

    @Override
    public void sending(long sequence) throws IOException {
      file.sending(sequence);
    }

    @Override
    public void settled(long sequence) throws IOException {
      file.settled(sequence);
    }
  }

  private void askForBatch() {
    try {
      mergeContext.execute(this::offerBatch);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "event=upstream_nobody_merges", e);
    }
  }

  /** Merge context: what is not in the journal yet might be merged again after a kill. */
  private void offerBatch() {
    UpstreamSender to = sender;
    if (to != null) {
      UpstreamBatch batch = sums.take(log.lastRecord());
      log.whenDurable(() -> to.offer(batch));
    }
  }

  /** Says so if a run before was to hand on what this one will not. */
  public static void warnIfLeft(Path journal) {
    if (Files.exists(journal.resolve(Outbox.NAME))) {
      LOG.log(
          Level.WARNING,
          "event=upstream_left file={0} problem=\"an earlier run was to hand on what is there; set"
              + " upstream.address again, or delete the file\"",
          journal.resolve(Outbox.NAME));
    }
  }

  /**
   * Hands on what there is, for as long as is configured. When nothing more is merged, and while
   * the merge context runs. Blocks; idempotent.
   */
  public void drain() {
    end(config.drain());
  }

  /** Ends; with a journal, the next start goes on. Idempotent. */
  @Override
  public void close() {
    end(Duration.ZERO);
    Outbox file = outbox;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.log(Level.WARNING, "event=upstream_outbox_unclosed", e);
      }
    }
  }

  private void end(Duration patience) {
    UpstreamSender ending = sender;
    if (ending != null && !isOver) {
      isOver = true;
      UpstreamFigures last = ending.close(patience);
      long left = last.values() + sums.values();
      if (left > 0) {
        LOG.log(
            outbox == null ? Level.WARNING : Level.INFO,
            "event=upstream_undelivered values={0} what={1}",
            String.valueOf(left),
            outbox == null
                ? "they are lost, as there is no journal"
                : "the next start on this journal hands them on");
      }
    }
  }

  /** How it is doing. Any thread. */
  public UpstreamStatus status() {
    UpstreamSender running = sender;
    UpstreamFigures now = running == null ? UpstreamFigures.NONE : running.figures();
    Map<String, Long> lost = new HashMap<>(now.sent().lostValues());
    lost.merge(UpstreamMetrics.NO_MEMORY, sums.lostValues(), Long::sum);
    lost.merge(UpstreamMetrics.FOREIGN_BUCKETS, sums.foreignValues(), Long::sum);
    lost.merge(UpstreamMetrics.DAMAGED, damagedValues, Long::sum);
    Outbox file = outbox;
    return new UpstreamStatus(
        config.address().toString(),
        now.sent().connected(),
        now.loop(),
        now.values() + sums.values(),
        lagSeconds(now.oldestMillis(), sums.oldestMillis()),
        now.sent().counted(),
        lost,
        sums.foldedValues(),
        now.ledgerFailures(),
        file == null ? 0 : file.bytes(),
        sums.bytes() + now.frameBytes(),
        missingRecords);
  }

  private static long lagSeconds(long framedMillis, long summedMillis) {
    long oldest =
        framedMillis == 0 || summedMillis == 0
            ? Math.max(framedMillis, summedMillis)
            : Math.min(framedMillis, summedMillis);
    long age = System.currentTimeMillis() - oldest;
    return oldest == 0 ? 0 : Math.max(0, (age + 999) / 1000);
  }

  /** What is shown of it. */
  public List<Metric> metrics() {
    return UpstreamMetrics.of(this::status);
  }
}
