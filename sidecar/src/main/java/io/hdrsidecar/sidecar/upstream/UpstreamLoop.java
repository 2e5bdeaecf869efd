package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.Delivery;
import io.hdrsidecar.internal.send.HealthReport;
import io.hdrsidecar.internal.send.InFlight;
import io.hdrsidecar.internal.send.OutgoingSeries;
import io.hdrsidecar.internal.send.PendingIntervals;
import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.internal.send.SendFigures;
import io.hdrsidecar.internal.send.SendTally;
import io.hdrsidecar.internal.send.SeriesRoster;
import io.hdrsidecar.internal.send.Session;
import io.hdrsidecar.internal.send.SocketWait;
import io.hdrsidecar.internal.send.Spilled;
import io.hdrsidecar.internal.send.StateLog;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * All that a sender's thread does, turn by turn: asks for a batch when one is due, frames it, has
 * it written down, and moves the session on.
 *
 * <p>Why every value arrives once, wherever this process ends: it stands either behind {@link
 * UpstreamLedger.State#position} in the journal, or in an interval of the ledger, which has its
 * number before it is sent. What is in the ledger and was perhaps sent keeps number and bytes, so
 * that the other side knows it again; what was certainly never sent may be framed anew.
 *
 * <p>Everything here belongs to the thread that turns, but for the methods that say otherwise.
 */
final class UpstreamLoop {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long GOODBYE_NANOS = 500 * NANOS_PER_MILLI;
  private static final long OLDEST_NANOS = 1_000 * NANOS_PER_MILLI;

  /** So much longer are batches while nobody takes them. */
  private static final int AWAY_FACTOR = 6;

  private final SendConfig send;
  private final UpstreamLedger ledger;
  private final Runnable harvest;
  private final StateLog log;
  private final SendTally tally = new SendTally();
  private final SeriesRoster roster = new SeriesRoster();
  private final PendingIntervals pending = new PendingIntervals(tally);
  private final Delivery delivery;
  private final Session session;
  private final SocketWait wait;
  private final HealthReport health;
  private final UpstreamFraming framing;
  private final LedgerAttempts attempts;
  private final UpstreamPath path;
  private final AtomicReference<@Nullable UpstreamBatch> offered = new AtomicReference<>();
  private final long betweenNanos;

  private volatile UpstreamFigures figures = UpstreamFigures.NONE;
  private volatile boolean hurried;

  /** Taken, and not written down yet. */
  private @Nullable UpstreamBatch batch;

  /** Under which the ledger has what it has. */
  private InstanceId written;

  private long position;
  private long sending;
  private long settled;
  private long harvestAt;
  private boolean isAsked;
  private long oldestAt;
  private long oldestMillis;
  private @Nullable UpstreamEnd end;
  private volatile boolean ended;

  /**
   * A loop that has not turned.
   *
   * @param before what the last process left in the ledger
   * @param harvest asks for a batch, which is to be offered; each time, one
   */
  UpstreamLoop(
      UpstreamSenderConfig config,
      UpstreamLedger ledger,
      UpstreamLedger.State before,
      Runnable harvest) {
    this.send = config.send();
    this.ledger = ledger;
    this.harvest = harvest;
    this.log = new StateLog(config.logger(), send.ticker());
    this.wait = new SocketWait(send.ticker());
    this.written = before.instance();
    this.position = before.position();
    this.delivery = new Delivery(pending, roster, tally, log);
    this.session = new Session(send, written, delivery, tally, log);
    this.framing = new UpstreamFraming(roster, tally);
    this.betweenNanos = send.interval().toNanos();
    long start = send.ticker().getAsLong();
    this.health = new HealthReport(Map::of, betweenNanos, start);
    this.harvestAt = start + betweenNanos;
    this.attempts = new LedgerAttempts(log, start);
    this.path = new UpstreamPath(config);
    this.oldestAt = start;
    session.speakForSidecar(config.resource(), path);
    resume(before);
  }

  private void resume(UpstreamLedger.State before) {
    List<InFlight.EncodedInterval> intervals = new ArrayList<>();
    for (UpstreamInterval interval : before.intervals()) {
      OutgoingSeries series = framing.restored(interval.seriesId(), interval.definition());
      intervals.add(
          new InFlight.EncodedInterval(
              interval.sequence(), series, interval.values(), interval.frame()));
    }
    delivery.replaceUnsent(before.lastSent(), intervals);
    sending = before.lastSent();
    settled = before.intervals().isEmpty() ? before.lastSent() : 0;
    publish(send.ticker().getAsLong());
  }

  /** Any thread: a batch, as was asked for. */
  void offer(UpstreamBatch more) {
    offered.set(more);
    wake();
  }

  /** Any thread: asks for a batch now, whether or not one is due. */
  void hurry() {
    hurried = true;
    wake();
  }

  /** Any thread: figures as of the end of the last turn. */
  UpstreamFigures figures() {
    return figures;
  }

  /** Any thread: whether it need not be turned any more. */
  boolean hasEnded() {
    return ended;
  }

  /** Any thread. */
  void wake() {
    wait.wake();
  }

  /**
   * One turn.
   *
   * @param asked what is to be done before the end, null until then
   */
  void turn(@Nullable UpstreamEnd asked) throws IOException {
    Selector selector = wait.selector(); // There first, so that a thread that wakes it finds it.
    long now = send.ticker().getAsLong();
    beginEnd(asked);
    takeOffered();
    writeIfDue(now);
    askIfDue(now);
    if (!isRenamed()) {
      session.onTime(now, selector);
      if (session.isOpen() && pending.isEmpty() && isSendingWritten(now)) {
        session.pump();
      }
    }
    if (session.write() && session.isOpen() && health.isDue(now)) {
      sendHealth(now);
    }
    noteSettled(now);
    endIfDone(now);
    publish(now);
    if (!ended) {
      wait.await(session, Math.max(1, nextDeadline(now) - now));
    }
  }

  private void beginEnd(@Nullable UpstreamEnd asked) {
    if (asked != null && end == null) {
      end = asked;
      session.hurry();
    }
  }

  private void takeOffered() {
    if (batch == null) {
      UpstreamBatch more = offered.getAndSet(null);
      if (more != null) {
        isAsked = false;
        batch = more;
        tally.add(ClientFigure.HARVESTED_VALUES, more.values());
      }
    }
  }

  private boolean isRenamed() {
    return !session.instance().equals(written);
  }

  /** Put back is what was framed for an instance that is given up, or longer than is taken now. */
  private boolean hasToWrite() {
    return batch != null || isRenamed() || !pending.isEmpty();
  }

  private void writeIfDue(long now) {
    if (!hasToWrite() || !attempts.isDue(now)) {
      return;
    }
    UpstreamBatch taken = batch;
    long reached = taken == null ? position : taken.position();
    boolean isNothing = taken != null && taken.parts().isEmpty() && reached == position;
    if (isNothing && !isRenamed() && pending.isEmpty()) {
      batch = null;
      return;
    }
    long lastSent = delivery.lastSent();
    List<InFlight.EncodedInterval> framed =
        framing.frame(
            taken, pending.waiting(), delivery.neverSent(), lastSent + 1, delivery.limits());
    if (attempts.isWritten(now, () -> ledger.replace(state(reached, lastSent, framed)))) {
      written = session.instance();
      position = reached;
      sending = lastSent;
      settled = 0;
      delivery.replaceUnsent(lastSent, framed);
      pending.discard();
      framing.done(delivery.inFlight());
      batch = null;
    }
  }

  private UpstreamLedger.State state(
      long reached, long lastSent, List<InFlight.EncodedInterval> framed) {
    List<UpstreamInterval> intervals = new ArrayList<>();
    for (InFlight.EncodedInterval interval : delivery.inFlight().all()) {
      if (interval.sequence() <= lastSent) {
        intervals.add(UpstreamInterval.of(interval));
      }
    }
    framed.forEach(interval -> intervals.add(UpstreamInterval.of(interval)));
    return new UpstreamLedger.State(session.instance(), reached, lastSent, intervals);
  }

  /** Whether the ledger knows that all there is may have been sent. */
  private boolean isSendingWritten(long now) {
    List<InFlight.EncodedInterval> unknown = delivery.inFlight().above(sending);
    if (unknown.isEmpty()) {
      return true;
    }
    long last = unknown.get(unknown.size() - 1).sequence();
    if (!attempts.isDue(now) || !attempts.isWritten(now, () -> ledger.sending(last))) {
      return false;
    }
    sending = last;
    return true;
  }

  private void askIfDue(long now) {
    if (hasSaidGoodbye()) {
      return; // What comes now is left to the next start, which has another instance.
    }
    UpstreamEnd ending = end;
    boolean isLast = ending != null && !ending.isAsked();
    if (batch == null && !isAsked && (isLast || hurried || now - harvestAt >= 0)) {
      hurried = false;
      isAsked = true;
      harvestAt = now + (session.isOpen() ? 1 : AWAY_FACTOR) * betweenNanos;
      if (ending != null) {
        ending.asked();
      }
      harvest.run();
    } else if (session.isOpen() && harvestAt - now > betweenNanos) {
      harvestAt = now; // It is back.
    }
  }

  private void sendHealth(long now) {
    health.sent(now);
    session.sendHealth(health.of(session.instance(), snapshot()));
    session.write();
  }

  private void noteSettled(long now) {
    long lastSent = delivery.lastSent();
    if (settled < lastSent
        && delivery.inFlight().isEmpty()
        && !isRenamed()
        && attempts.isDue(now)
        && attempts.isWritten(now, () -> ledger.settled(lastSent))) {
      settled = lastSent;
    }
  }

  private void endIfDone(long now) {
    UpstreamEnd ending = end;
    if (ending == null || ended) {
      return;
    }
    if (hasSaidGoodbye()) {
      ended = !session.isOpen() || now - ending.deadline() >= 0;
    } else if (isAllSettled(ending) && session.isOpen() && isForgotten(now)) {
      sendHealth(now);
      session.sayGoodbye();
      session.write();
      ending.saidGoodbye(now + GOODBYE_NANOS);
    } else {
      ended = now - ending.deadline() >= 0;
    }
    if (ended) {
      session.disconnect();
      framing.close();
      delivery.close();
    }
  }

  private boolean hasSaidGoodbye() {
    return end != null && end.hasSaidGoodbye();
  }

  private boolean isAllSettled(UpstreamEnd ending) {
    return ending.isAsked()
        && !isAsked
        && offered.get() == null
        && !hasToWrite()
        && delivery.inFlight().isEmpty();
  }

  /** After GOODBYE the other side may forget the numbers, so the next start has others. */
  private boolean isForgotten(long now) {
    return attempts.isWritten(now, () -> ledger.replace(UpstreamLedger.State.nothing(position)));
  }

  private long nextDeadline(long now) {
    long deadline = session.nextDeadline(now);
    deadline = hasSaidGoodbye() ? deadline : SocketWait.earlier(deadline, harvestAt);
    if (hasToWrite() || attempts.areFailing()) {
      deadline = SocketWait.earlier(deadline, Math.max(now, attempts.retryAt()));
    }
    UpstreamEnd ending = end;
    if (ending != null) {
      deadline = SocketWait.earlier(deadline, ending.deadline());
    }
    if (session.isOpen()) {
      deadline = SocketWait.earlier(deadline, health.next());
    }
    return deadline;
  }

  /** A turn has failed, which no input should bring about: starts again with a new connection. */
  void onFailure(Throwable failure) {
    tally.count(ClientFigure.LOOP_FAILURES);
    log.failure("handing on failed and starts again; please report this", failure);
    session.lost(failure);
    wait.close(log);
    UpstreamEnd ending = end;
    ended |= ending != null && send.ticker().getAsLong() - ending.deadline() >= 0;
  }

  private void publish(long now) {
    if (now - oldestAt >= 0) {
      oldestAt = now + OLDEST_NANOS;
      oldestMillis = UpstreamAge.oldestOf(batch, delivery.inFlight());
    }
    UpstreamBatch waiting = batch;
    long batchValues = waiting == null ? 0 : waiting.values();
    SendFigures sent = snapshot();
    figures =
        new UpstreamFigures(
            sent,
            batchValues + sent.waitingValues(),
            delivery.inFlight().frameBytes(),
            oldestMillis,
            attempts.failures(),
            path.loop());
  }

  private SendFigures snapshot() {
    Map<ClientFigure, Long> counted = tally.counts();
    counted.put(ClientFigure.SERIES, (long) roster.size());
    counted.put(ClientFigure.PENDING_INTERVALS, (long) delivery.neverSent().size());
    counted.put(
        ClientFigure.IN_FLIGHT_INTERVALS,
        (long) delivery.inFlight().size() - delivery.neverSent().size());
    return new SendFigures(
        session.isOpen(),
        Collections.unmodifiableMap(counted),
        pending.values(),
        delivery.inFlight().values(),
        tally.lostValues(),
        Spilled.NOTHING,
        0,
        0);
  }
}
