package io.hdrsidecar.client.send;

import io.hdrsidecar.client.record.IntervalSource;
import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.wire.InstanceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that the client's thread does, turn by turn: samples when a sample is due, moves the session
 * on, waits for the socket or the next deadline. The thread is somebody else's, so a test can turn
 * it by hand with a clock of its own.
 *
 * <p>Everything here belongs to the thread that turns, but for the methods that say otherwise.
 */
final class SendLoop {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** How long one sample may wait for the sidecar to make room, all waits together. */
  private static final long SAMPLE_PATIENCE_NANOS = 50 * NANOS_PER_MILLI;

  /** As many may wait before a sample waits for room; each takes as much memory as its series. */
  private static final int FEW_PENDING = 8;

  /** Recorders are emptied this often at least, however long the interval: their counts wrap. */
  private static final long LONGEST_HARVEST_NANOS = 1_000_000_000;

  private static final long GOODBYE_NANOS = 500 * NANOS_PER_MILLI;
  private static final long MIN_HEALTH_NANOS = 1_000_000_000;
  private static final long MAX_HEALTH_NANOS = 10_000_000_000L;

  private final SendConfig config;
  private final InstanceId instance = InstanceId.random();
  private final @Nullable SpillPickup pickup;
  private final Supplier<Map<String, Long>> moreHealth;
  private final StateLog log;
  private final Tally tally = new Tally();
  private final SeriesRoster roster = new SeriesRoster();
  private final PendingIntervals pending = new PendingIntervals(tally);
  private final Delivery delivery;
  private final Session session;
  private final SampleSchedule schedule;
  private final SampleSchedule harvests;
  private final long healthNanos;

  private final Queue<Consumer<SeriesRoster>> changes = new ConcurrentLinkedQueue<>();
  private volatile SendFigures figures = SendFigures.NONE;
  private volatile @Nullable Selector selector;
  private volatile boolean closing;
  private volatile long closeDeadline;

  private long sampledMillis;
  private long clampedNegative;
  private long clampedTooLarge;
  private long healthAt;
  private long patience;
  private boolean lastSampleTaken;
  private boolean saidGoodbye;
  private boolean ended;
  private boolean failing;
  private Spilled spilled = Spilled.NOTHING;

  SendLoop(SendConfig config, Supplier<Map<String, Long>> moreHealth, StateLog log) {
    this.config = config;
    this.moreHealth = moreHealth;
    this.log = log;
    this.delivery = new Delivery(pending, roster, tally, log);
    this.session = new Session(config, instance, delivery, tally, log);
    SpillConfig spill = config.spill();
    this.pickup =
        spill == null || !spill.picksUp() ? null : new SpillPickup(spill.folder(), config, log);
    long intervalNanos = config.interval().toNanos();
    long start = config.ticker().getAsLong();
    this.schedule = new SampleSchedule(start, intervalNanos);
    this.harvests = new SampleSchedule(start, Math.min(intervalNanos, LONGEST_HARVEST_NANOS));
    this.healthNanos = Math.max(MIN_HEALTH_NANOS, Math.min(MAX_HEALTH_NANOS, 10 * intervalNanos));
    this.healthAt = start;
    this.sampledMillis = config.clock().millis();
  }

  /** Any thread. */
  void add(SeriesDefinition definition, IntervalSource source) {
    changes.add(target -> target.add(definition, source));
  }

  /** Any thread. */
  void remove(IntervalSource source) {
    changes.add(target -> target.remove(source));
  }

  /** Any thread. */
  SendFigures figures() {
    return figures;
  }

  /** Any thread: asks for a last sample and an end by this time of the ticker. */
  void close(long deadlineNanos) {
    closeDeadline = deadlineNanos;
    closing = true;
    Selector current = selector;
    if (current != null) {
      current.wakeup();
    }
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * One turn.
   *
   * @param mayWait whether to wait for the socket or the next deadline at the end of it
   */
  void turn(boolean mayWait) throws IOException {
    Selector current = openSelector();
    long now = config.ticker().getAsLong();
    applyChanges();
    sampleIfDue(now, current, mayWait);
    if (config.enabled()) {
      session.onTime(now, current);
      session.pump();
      pickUpIfDue(now);
    }
    if (session.write()) {
      sendHealthIfDue(now); // A sidecar that is slow to read is not given more to read.
    }
    endIfDone(now);
    if (!ended) {
      publish();
      await(current, mayWait ? nextDeadline(now) - now : 0);
    }
    failing = false;
  }

  private Selector openSelector() throws IOException {
    Selector current = selector;
    if (current == null) {
      current = Selector.open();
      selector = current;
    }
    return current;
  }

  private void applyChanges() {
    Consumer<SeriesRoster> change = changes.poll();
    while (change != null) {
      change.accept(roster);
      change = changes.poll();
    }
  }

  private void sampleIfDue(long now, Selector current, boolean mayWait) {
    if (closing && !lastSampleTaken) {
      lastSampleTaken = true;
      session.hurry();
      sample(current, mayWait ? SAMPLE_PATIENCE_NANOS : 0);
    } else if (!closing && harvests.isDue(now)) {
      harvests.advance(now);
      if (!schedule.isDue(now)) {
        roster.visit(pending::gather);
      }
    }
    if (!closing && schedule.isDue(now)) {
      schedule.advance(now);
      sample(current, mayWait ? SAMPLE_PATIENCE_NANOS : 0);
    }
  }

  private void sample(Selector current, long patienceNanos) {
    long startMillis = sampledMillis;
    long endMillis = config.clock().millis();
    sampledMillis = endMillis;
    patience = patienceNanos;
    roster.sample(
        series -> {
          pending.harvest(series, startMillis, endMillis);
          session.pump();
          makeRoom(current);
        });
    if (!config.enabled()) {
      pending.discard();
    }
    clampedNegative = roster.clampedNegative();
    clampedTooLarge = roster.clampedTooLarge();
    tally.lostForMemory(roster.lostForMemory());
  }

  /**
   * What can be sent at once needs no memory of its own: with more series than the window has room
   * for, the answers to the first are taken in before the next are sampled. A sidecar that does not
   * keep up is not waited for.
   */
  private void makeRoom(Selector current) {
    while (patience > 0 && pending.size() > FEW_PENDING && session.isOpen()) {
      long start = config.ticker().getAsLong();
      session.write();
      try {
        current.select(key -> session.onReady(config.ticker().getAsLong()), 1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      session.pump();
      patience -= config.ticker().getAsLong() - start;
    }
  }

  /** What earlier clients have left is none of this thread's business, but for what came of it. */
  private void pickUpIfDue(long now) {
    if (pickup != null) {
      pickup.collect(tally);
      if (session.isOpen() && !closing) {
        pickup.startIfDue(now);
      }
    }
  }

  private void sendHealthIfDue(long now) {
    if (session.isOpen() && now - healthAt >= 0) {
      healthAt = now + healthNanos;
      session.sendHealth(health());
      session.write();
    }
  }

  private Map<String, Long> health() {
    Map<String, Long> health = new LinkedHashMap<>(snapshot().asHealth());
    health.putAll(moreHealth.get());
    return health;
  }

  private void endIfDone(long now) {
    if (!closing || !lastSampleTaken) {
      return;
    }
    boolean settled = pending.isEmpty() && delivery.inFlight().isEmpty();
    if (settled && session.isOpen() && !saidGoodbye) {
      sayGoodbye(now);
    } else if ((settled && !session.isOpen()) || now - closeDeadline >= 0) {
      end();
    }
  }

  /**
   * The sidecar answers and closes; who closes first has its answer arrive at a closed socket. One
   * that does not close is not waited for.
   */
  private void sayGoodbye(long now) {
    saidGoodbye = true;
    session.sendHealth(health());
    session.sayGoodbye();
    session.write();
    if (closeDeadline - now > GOODBYE_NANOS) {
      closeDeadline = now + GOODBYE_NANOS;
    }
  }

  private void end() {
    ended = true;
    session.disconnect();
    if (pickup != null) {
      pickup.stop();
      pickup.collect(tally);
    }
    publish();
    if (figures.undeliveredIntervals() > 0) {
      spill();
      publish();
    }
    delivery.close();
    closeSelector();
  }

  private void spill() {
    spilled = new Spill(config, instance, log).leave(delivery, figures);
    if (config.spill() != null && spilled.values() < figures.undeliveredValues()) {
      tally.lost("spill_failed", figures.undeliveredValues() - spilled.values());
    }
  }

  private long nextDeadline(long now) {
    long bySchedule = earlier(schedule.next(), harvests.next());
    if (!config.enabled()) {
      return bySchedule;
    }
    long deadline = closing ? closeDeadline : bySchedule;
    long bySession = session.nextDeadline(now);
    deadline = earlier(bySession, deadline);
    return session.isOpen() ? earlier(healthAt, deadline) : deadline;
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  private void await(Selector current, long nanos) throws IOException {
    if (nanos <= 0 || (closing && !lastSampleTaken)) {
      current.selectNow(key -> session.onReady(config.ticker().getAsLong()));
    } else {
      long millis = (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
      current.select(key -> session.onReady(config.ticker().getAsLong()), millis);
    }
  }

  /**
   * A turn has failed, which no input should bring about: counts it, says so once, and starts again
   * with a new connection. What waits and what is in flight is kept.
   */
  void onFailure(Throwable failure) {
    tally.loopFailures++;
    if (!failing) {
      failing = true;
      log.failure("sending failed and starts again; please report this", failure);
    }
    session.lost(failure);
    closeSelector();
    if (closing && config.ticker().getAsLong() - closeDeadline >= 0) {
      end();
    }
  }

  private void closeSelector() {
    Selector current = selector;
    selector = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        log.failure("selector could not be closed", e);
      }
    }
  }

  private void publish() {
    figures = snapshot();
  }

  private SendFigures snapshot() {
    return new SendFigures(
        session.isOpen(),
        roster.size(),
        pending.size(),
        pending.values(),
        delivery.inFlight().size(),
        delivery.inFlight().values(),
        tally.harvestedValues,
        tally.sentIntervals,
        tally.acknowledgedIntervals,
        tally.acknowledgedValues,
        tally.resentIntervals,
        tally.joinedIntervals,
        Math.max(0, tally.welcomes - 1),
        tally.lostValues(),
        clampedNegative,
        clampedTooLarge,
        tally.loopFailures,
        spilled,
        tally.recoveredIntervals,
        tally.recoveredValues);
  }
}
