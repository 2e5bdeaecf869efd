package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.Collections;
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

  private static final long GOODBYE_NANOS = 500 * NANOS_PER_MILLI;

  private final SendConfig config;
  private final Pickups pickups;
  private final StateLog log;
  private final SendTally tally = new SendTally();
  private final SeriesRoster roster = new SeriesRoster();
  private final PendingIntervals pending = new PendingIntervals(tally);
  private final Samples samples;
  private final HealthReport health;
  private final Closing closing = new Closing();

  private final CrashLog crash;
  private Delivery delivery;
  private Session session;
  private final SocketWait wait;

  private final Queue<Consumer<SeriesRoster>> changes = new ConcurrentLinkedQueue<>();
  private volatile SendFigures figures = SendFigures.NONE;

  private long patience;
  private boolean saidGoodbye;
  private boolean ended;
  private boolean failing;
  private Spilled spilled = Spilled.NOTHING;
  private long leftIntervals;
  private long leftValues;

  SendLoop(SendConfig config, Supplier<Map<ClientFigure, Long>> moreHealth, StateLog log) {
    this.config = config;
    this.log = log;
    this.wait = new SocketWait(config.ticker());
    InstanceId instance = InstanceId.random();
    this.crash = CrashLog.open(config, instance, log);
    this.delivery = new Delivery(pending, roster, tally, log, crash);
    this.session = new Session(config, instance, delivery, tally, log, crash);
    this.pickups = new Pickups(config, log);
    long start = config.ticker().getAsLong();
    this.samples =
        new Samples(config, roster, pending, tally, start, series -> crash.harvested(series, log));
    this.health = new HealthReport(moreHealth, config.interval().toNanos(), start);
  }

  /** Where a series is counted for the reader after a crash; null for nowhere. Any thread. */
  @Nullable CrashSeries crashSeries(SeriesDefinition definition) {
    return crash.series(definition, config.clock().millis());
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

  /** Any thread: asks that all recorded so far is delivered by this time of the ticker. */
  long close(long deadlineNanos) {
    long asked = closing.ask(deadlineNanos);
    wait.wake();
    return asked;
  }

  Closing closing() {
    return closing;
  }

  /** Whether there is nothing to turn for any more, unless somebody asks for a close again. */
  boolean hasEnded() {
    return ended && !closing.isDue();
  }

  /**
   * One turn.
   *
   * @param mayWait whether to wait for the socket or the next deadline at the end of it
   */
  void turn(boolean mayWait) throws IOException {
    Selector current = wait.selector();
    long now = config.ticker().getAsLong();
    applyChanges();
    crash.alive(config.clock().millis(), log);
    sampleIfDue(now, current, mayWait);
    if (isTalking()) {
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
      wait.await(session, mayWait && !closing.isDue() ? nextDeadline(now) - now : 0);
    }
    failing = false;
  }

  private void applyChanges() {
    Consumer<SeriesRoster> change = changes.poll();
    while (change != null) {
      change.accept(roster);
      change = changes.poll();
    }
  }

  /** After a close, a new instance says hello only when there is something to deliver. */
  private boolean isTalking() {
    return config.enabled() && (!closing.isOver() || !isSettled() || session.isOpen());
  }

  private boolean isSettled() {
    return pending.isEmpty() && delivery.inFlight().isEmpty();
  }

  private void sampleIfDue(long now, Selector current, boolean mayWait) {
    patience = mayWait ? SAMPLE_PATIENCE_NANOS : 0;
    Runnable send = () -> makeRoom(current);
    if (closing.isDue()) {
      closing.begin();
      applyChanges(); // Series that came since this turn began belong to it, too.
      ended = false;
      saidGoodbye = false;
      session.hurry();
      samples.take(send);
    } else if (!closing.isUnderWay()) {
      samples.takeIfDue(now, closing.isOver(), send);
    }
  }

  /**
   * What can be sent at once needs no memory of its own: with more series than the window has room
   * for, the answers to the first are taken in before the next are sampled. A sidecar that does not
   * keep up is not waited for.
   */
  private void makeRoom(Selector current) {
    session.pump();
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
    pickups.collect(tally);
    if (session.isOpen() && closing.isDone() && !closing.isOver()) {
      pickups.startIfDue(now);
    }
  }

  private void sendHealthIfDue(long now) {
    if (session.isOpen() && health.isDue(now)) {
      health.sent(now);
      session.sendHealth(health.of(session.instance(), snapshot()));
      session.write();
    }
  }

  private void endIfDone(long now) {
    if (closing.isUnderWay()) {
      if (isSettled() && session.isOpen() && !saidGoodbye) {
        sayGoodbye(now);
      } else if (now - closing.deadline() >= 0 || hasNothingToWaitFor()) {
        finishClose(now);
      }
    } else if (closing.isQuiet(now, tally.of(ClientFigure.HARVESTED_VALUES))) {
      end();
    }
  }

  private boolean hasNothingToWaitFor() {
    return isSettled()
        ? !session.isOpen()
        : closing.isAsBefore(tally.of(ClientFigure.HARVESTED_VALUES));
  }

  /**
   * The sidecar answers and closes; who closes first has its answer arrive at a closed socket. One
   * that does not close is not waited for.
   */
  private void sayGoodbye(long now) {
    saidGoodbye = true;
    session.sendHealth(health.of(session.instance(), snapshot()));
    session.sayGoodbye();
    session.write();
    closing.endBy(now + GOODBYE_NANOS);
  }

  private void finishClose(long now) {
    boolean gaveUp = !isSettled();
    try {
      pickups.stop();
      pickups.collect(tally);
      if (gaveUp) {
        leave();
      } else {
        crash.close();
        startOver();
      }
    } finally {
      publish();
      closing.end(now, figures, gaveUp);
    }
  }

  /** What was recorded while the close waited is left with the rest. */
  private void leave() {
    boolean isAsBefore = closing.isAsBefore(tally.of(ClientFigure.HARVESTED_VALUES));
    if (config.spill() == null || crash.isOpen()) {
      samples.take(session::pump);
      session.relax();
      if (!isAsBefore) {
        new Spill(config, session.instance(), log).leave(delivery, snapshot(), crash);
      }
      return;
    }
    session.disconnect();
    samples.take(() -> {});
    SendFigures last = snapshot();
    Spilled written = new Spill(config, session.instance(), log).leave(delivery, last, crash);
    spilled = spilled.and(written);
    leftIntervals += last.waitingIntervals();
    leftValues += last.waitingValues();
    if (written.values() < last.waitingValues()) {
      tally.lost("spill_failed", last.waitingValues() - written.values());
    }
    pending.discard();
    startOver();
  }

  /**
   * This instance has said that nothing more will come from it, or left its numbers to a file: what
   * is recorded from now on is delivered under another name.
   */
  private void startOver() {
    session.disconnect();
    delivery.close();
    delivery = new Delivery(pending, roster, tally, log, crash);
    session = new Session(config, InstanceId.random(), delivery, tally, log, crash);
    health.startOver(snapshot());
  }

  private void end() {
    ended = true;
    if (session.isOpen()) {
      session.sayGoodbye();
      session.write();
    }
    if (isSettled()) {
      crash.close();
      startOver();
    } else {
      session.disconnect();
    }
    publish();
    wait.close(log);
  }

  private long nextDeadline(long now) {
    if (!isTalking()) {
      return nextSample();
    }
    long deadline = SocketWait.earlier(session.nextDeadline(now), nextSample());
    return session.isOpen() ? SocketWait.earlier(health.next(), deadline) : deadline;
  }

  private long nextSample() {
    if (closing.isUnderWay()) {
      return closing.deadline();
    }
    return samples.next(closing.isOver());
  }

  /**
   * A turn has failed, which no input should bring about: counts it, says so once, and starts again
   * with a new connection. What waits and what is in flight is kept.
   */
  void onFailure(Throwable failure) {
    tally.count(ClientFigure.LOOP_FAILURES);
    if (!failing) {
      failing = true;
      log.failure("sending failed and starts again; please report this", failure);
    }
    session.lost(failure);
    wait.close(log);
    long now = config.ticker().getAsLong();
    if (closing.isUnderWay() && now - closing.deadline() >= 0) {
      finishClose(now);
    } else if (closing.isQuiet(now, tally.of(ClientFigure.HARVESTED_VALUES))) {
      end();
    }
  }

  private void publish() {
    figures = snapshot();
  }

  private SendFigures snapshot() {
    Map<ClientFigure, Long> counted = tally.counts();
    counted.put(ClientFigure.SERIES, (long) roster.size());
    counted.put(ClientFigure.PENDING_INTERVALS, (long) pending.size());
    counted.put(ClientFigure.IN_FLIGHT_INTERVALS, (long) delivery.inFlight().size());
    counted.put(ClientFigure.CLAMPED_NEGATIVE, samples.clampedNegative());
    counted.put(ClientFigure.CLAMPED_TOO_LARGE, samples.clampedTooLarge());
    return new SendFigures(
        session.isOpen(),
        Collections.unmodifiableMap(counted),
        pending.values(),
        delivery.inFlight().values(),
        tally.lostValues(),
        spilled,
        leftIntervals,
        leftValues);
  }
}
