package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * From intervals that wait to intervals settled, over as many connections as it takes.
 *
 * <p>Why every interval is merged exactly once: it gets a sequence number when it is encoded and
 * stays in {@link InFlight} until the sidecar settles that number (ACK, REJECT, or WELCOME saying
 * it is merged). On the next connection what is left is sent again with the same numbers, and the
 * sidecar drops the numbers it has merged. Nothing is encoded before a WELCOME, so what is in
 * flight is bounded by the window stated there; all else waits in {@link PendingIntervals}.
 */
public final class Delivery implements AutoCloseable {
  /** The protocol leaves the window to the sidecar; this bounds our memory whatever it says. */
  private static final int MAX_WINDOW = 1024;

  private static final int FRAME_OVERHEAD_BYTES = 12;

  /** Why values are lost that were sent under numbers which somebody else has used. */
  private static final String NUMBERS_TAKEN = "numbers_taken";

  /** What a sidecar takes unless told otherwise; for intervals spilled without having met one. */
  private static final int USUAL_BODY_BYTES = 1 << 20;

  /** Takes an interval that will not be sent. */
  @FunctionalInterface
  interface Drain {
    /** May fail, and then is not called again. */
    void take(InFlight.EncodedInterval interval) throws IOException;
  }

  private final PendingIntervals pending;
  private final SeriesRoster roster;
  private final SendTally tally;
  private final StateLog log;
  private final CrashLog crash;
  private final InFlight inFlight = new InFlight();
  private final IntervalFramer framer = new IntervalFramer();
  private final FrameEncoder frames = new FrameEncoder();

  private Frame.Welcome limits = new Frame.Welcome(FrameEncoder.VERSION, 0, 0, 0, 0);
  private long connectionNumber;
  private boolean progressed;
  private long nextSequence = 1;
  private long lastSentSequence;
  private boolean keepsNumbers;

  /** One that writes nothing down for a reader after a crash. */
  public Delivery(PendingIntervals pending, SeriesRoster roster, SendTally tally, StateLog log) {
    this(pending, roster, tally, log, CrashLog.NONE);
  }

  Delivery(
      PendingIntervals pending,
      SeriesRoster roster,
      SendTally tally,
      StateLog log,
      CrashLog crash) {
    this.crash = crash;
    this.pending = pending;
    this.roster = roster;
    this.tally = tally;
    this.log = log;
  }

  public InFlight inFlight() {
    return inFlight;
  }

  /** Whether anything was settled since the last WELCOME, by it or after it. */
  boolean hasProgressed() {
    return progressed;
  }

  /**
   * Whether the sidecar's number for this instance cannot come from what was sent, so that nothing
   * can go on under it. A number too high: somebody else has used the id. One that is too low and
   * not 0: the sidecar was set back to what it knew long ago, and takes no such jump.
   *
   * <p>What an instance has sent that has ended, only the sidecar knows, so its numbers stay.
   */
  boolean isOutOfStep(long settled) {
    InFlight.EncodedInterval unsettled = inFlight.nextUnsent();
    long next = unsettled == null ? nextSequence : unsettled.sequence();
    boolean isTooLow = settled > 0 && next - settled > IntervalFrame.MAX_SEQUENCE_GAP;
    return !keepsNumbers && (settled > lastSentSequence || isTooLow);
  }

  /**
   * Goes on as another instance, whose numbers begin at 1. What was never sent waits again, and so
   * does what the sidecar says it does not have. But if the old numbers were taken, nobody can know
   * whether it has merged what was sent under them and not settled: that is counted as lost, as
   * sending it again could count it twice.
   *
   * @param settled what the sidecar said of the old instance
   * @param renamed is told when no frame of an unknown fate is left in the crash file
   * @return values of which nobody knows
   */
  long startOver(long settled, Runnable renamed) {
    boolean isTaken = settled > lastSentSequence;
    if (!isTaken) {
      inFlight.settle(settled, tally::acknowledged);
      crash.settled(settled);
    } else {
      crash.forget(sequence -> sequence <= lastSentSequence);
    }
    List<InFlight.EncodedInterval> left = inFlight.all();
    renamed.run();
    long unknown = 0;
    for (InFlight.EncodedInterval interval : left) {
      inFlight.remove(interval.sequence()); // One by one: the others stay if this one fails.
      if (isTaken && interval.sequence() <= lastSentSequence) {
        unknown += interval.values();
        tally.lost(NUMBERS_TAKEN, interval.values());
      } else {
        IntervalUnframer.putBack(interval, pending, crash);
      }
    }
    nextSequence = 1;
    lastSentSequence = 0;
    return unknown;
  }

  /** A new connection is open, under these limits. */
  void welcomed(Frame.Welcome welcome) throws ProtocolException {
    connectionNumber = tally.welcomes + 1; // Of the client: series know it, instances end.
    progressed = false;
    limits = welcome;
    settle(welcome.lastSequence());
    long longestFrame = (long) welcome.maxBodyBytes() + FRAME_OVERHEAD_BYTES;
    List<InFlight.EncodedInterval> tooLong = inFlight.removeLongerThan(longestFrame);
    if (keepsNumbers && !tooLong.isEmpty()) {
      tooLong.forEach(inFlight::add);
      throw new ProtocolException("at most " + welcome.maxBodyBytes() + " bytes in a frame");
    }
    tooLong.forEach(interval -> IntervalUnframer.putBack(interval, pending, crash));
  }

  /**
   * Takes over an interval of an instance that has ended, to be sent under the number it has. All
   * of them come before the first WELCOME, by ascending number.
   */
  void resume(InFlight.EncodedInterval interval) {
    inFlight.add(interval);
    lastSentSequence = interval.sequence();
    keepsNumbers = true;
  }

  /**
   * Takes over intervals with numbers of their own, whose owner has written them down: those that
   * were never sent give way to these.
   *
   * @param sentThrough the highest number that may have been sent, at least of the former
   */
  public void replaceUnsent(long sentThrough, List<InFlight.EncodedInterval> intervals) {
    inFlight.removeAbove(lastSentSequence);
    lastSentSequence = sentThrough;
    intervals.forEach(inFlight::add);
    nextSequence =
        intervals.isEmpty() ? sentThrough + 1 : intervals.get(intervals.size() - 1).sequence() + 1;
  }

  /** What was never sent. */
  public List<InFlight.EncodedInterval> neverSent() {
    return inFlight.above(lastSentSequence);
  }

  /** The highest number that may have been sent; 0 for none. */
  public long lastSent() {
    return lastSentSequence;
  }

  /** What the sidecar last said that it takes; all 0 before the first. */
  public Frame.Welcome limits() {
    return limits;
  }

  /**
   * Hands over everything that is not settled, when nothing more will be sent: what is in flight,
   * then what waits, numbered now. Everything stays here as well, for the figures.
   */
  void drain(Drain drain) throws IOException {
    for (InFlight.EncodedInterval interval : inFlight.all()) {
      drain.take(interval);
    }
    int maxBodyBytes = limits.maxBodyBytes() == 0 ? USUAL_BODY_BYTES : limits.maxBodyBytes();
    for (OutgoingSeries series : pending.waiting()) {
      Accumulation counts = series.waiting();
      for (InFlight.EncodedInterval interval :
          framer.frame(
              series,
              counts,
              nextSequence,
              maxBodyBytes,
              Integer.MAX_VALUE,
              limits.deflateLevel())) {
        drain.take(interval);
        nextSequence = interval.sequence() + 1;
      }
    }
  }

  /** What was sent on it and is not settled will be sent again. */
  void connectionLost() {
    inFlight.connectionLost();
  }

  /** Everything up to this number is merged, or was refused before: it need not be kept. */
  void settle(long sequence) throws ProtocolException {
    checkSent(sequence);
    int before = inFlight.size();
    inFlight.settle(sequence, tally::acknowledged);
    crash.settled(sequence);
    progressed |= inFlight.size() < before;
  }

  /**
   * A sidecar that answers what was never sent cannot be believed in anything. But what an instance
   * has sent that has ended, only the sidecar knows: of its last numbers the file may be damaged.
   */
  private void checkSent(long sequence) throws ProtocolException {
    if (sequence < 0 || (sequence > lastSentSequence && !keepsNumbers)) {
      throw new ProtocolException(
          "answer to interval " + sequence + ", but only " + lastSentSequence + " were sent");
    }
  }

  /** All intervals of a series are refused on this connection. */
  void refuseSeries(long id, String reason, String message) {
    OutgoingSeries series = roster.withId(id);
    if (series != null) {
      refuse(series, reason, message);
    }
  }

  /**
   * Intervals of the series already on their way are not touched: the sidecar answers each of them,
   * and only its answer tells whether it was merged before the refusal.
   */
  private void refuse(OutgoingSeries series, String reason, String message) {
    series.refusedOn(connectionNumber, reason);
    log.once(
        "series " + reason,
        Level.WARNING,
        "series are refused and their values lost, reason="
            + reason
            + ", the first is "
            + series.definition().key()
            + ": "
            + message);
  }

  /** One interval is refused for good. */
  void refuseInterval(long sequence, String reason, String message) throws ProtocolException {
    checkSent(sequence);
    InFlight.EncodedInterval interval = inFlight.remove(sequence);
    if (interval != null) {
      progressed = true;
      crash.forget(number -> number == sequence);
      tally.lost(reason, interval.values());
      log.once(
          "interval " + reason,
          Level.WARNING,
          "intervals are refused and their values lost, reason="
              + reason
              + ", the first is of "
              + interval.series().definition().key()
              + ": "
              + message);
    }
  }

  /** Sends what the window has room for: first what is encoded already, then what waits. */
  void pump(Connection connection) {
    int window = Math.min(limits.maxInFlight(), MAX_WINDOW);
    boolean hasRoom = true;
    while (hasRoom && sendEncoded(connection, window) && !pending.isEmpty()) {
      hasRoom = encodeFirst();
    }
  }

  /** Sends encoded intervals; returns whether all are sent and the window has room for more. */
  private boolean sendEncoded(Connection connection, int window) {
    InFlight.EncodedInterval next = inFlight.nextUnsent();
    while (next != null && inFlight.awaiting() < window) {
      if (announce(connection, next.series())) {
        send(connection, next);
      } else {
        long sequence = next.sequence();
        inFlight.remove(sequence);
        crash.forget(number -> number == sequence);
        tally.lost(next.series().refusal(), next.values());
      }
      next = inFlight.nextUnsent();
    }
    return next == null && inFlight.awaiting() < window;
  }

  private void send(Connection connection, InFlight.EncodedInterval interval) {
    connection.send(interval.frame());
    inFlight.markSent();
    if (interval.sequence() > lastSentSequence) {
      lastSentSequence = interval.sequence();
      tally.count(ClientFigure.SENT_INTERVALS);
    } else {
      tally.count(ClientFigure.RESENT_INTERVALS);
    }
  }

  /** Says once per connection what an id stands for; returns whether the series is not refused. */
  private boolean announce(Connection connection, OutgoingSeries series) {
    if (!series.isAnnouncedOn(connectionNumber)) {
      series.announcedOn(connectionNumber);
      byte[] frame = frames.series(series.id(), series.definition()).take();
      if (frame.length - FRAME_OVERHEAD_BYTES > limits.maxBodyBytes()) {
        // Sent all the same it would end the connection, and with it every other series.
        String message = "its labels and help do not fit " + limits.maxBodyBytes() + " bytes";
        refuse(series, RejectReason.FRAME_TOO_LARGE.label(), message);
      } else {
        connection.send(ByteBuffer.wrap(frame));
      }
    }
    return !series.isRefusedOn(connectionNumber);
  }

  /** Returns whether there was room. */
  private boolean encodeFirst() {
    OutgoingSeries series = pending.first();
    Accumulation counts = series.waiting();
    if (series.isRefusedOn(connectionNumber)) {
      tally.lost(series.refusal(), counts.count());
      crash.lost(series, counts, log);
      pending.removeFirst();
      return true;
    }
    return encode(series, counts);
  }

  private boolean encode(OutgoingSeries series, Accumulation counts) {
    List<InFlight.EncodedInterval> encoded = List.of();
    try {
      encoded =
          framer.frame(
              series,
              counts,
              nextSequence,
              crash.longestFrame(limits.maxBodyBytes()),
              crash.mostBuckets(),
              limits.deflateLevel());
    } finally {
      if (encoded.isEmpty()) {
        pending.moveFirstToEnd(); // The failure goes on to the loop; other series must not wait.
      }
    }
    int framed = keep(counts, encoded);
    if (framed == 0) {
      return false;
    }
    nextSequence += framed;
    pending.removeFirst();
    encoded
        .subList(framed, encoded.size())
        .forEach(interval -> IntervalUnframer.putBack(interval, pending, CrashLog.NONE));
    return true;
  }

  /** All that it can of them, or none: who fails in between is to begin again. */
  private int keep(Accumulation counts, List<InFlight.EncodedInterval> encoded) {
    long first = encoded.get(0).sequence();
    try {
      int framed = crash.framed(framer, counts, encoded);
      inFlight.addAll(encoded.subList(0, framed));
      return framed;
    } catch (RuntimeException | Error e) {
      crash.failed(first, e, log);
      throw e;
    }
  }

  /** Frees native memory. */
  @Override
  public void close() {
    framer.close();
  }
}
