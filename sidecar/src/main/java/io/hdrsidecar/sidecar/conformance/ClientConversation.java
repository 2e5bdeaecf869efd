package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.conformance.KnownInstance.Fate;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the client, as the script of a case leads it: reads what the client says, notes
 * what it must not say, and answers well or ill. One thread at a time.
 */
final class ClientConversation {
  private static final int HEADER_BYTES = 8;
  private static final int TRAILER_BYTES = 4;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long LOOK_MILLIS = 5;

  /** Far above every limit that the kit grants: longer bodies are not waited for. */
  private static final int MOST_BODY_BYTES = 16 << 20;

  private final CaseStage stage;
  private final Link link;
  private final ConnectionCheck check;
  private final FrameDecoder decoder = new FrameDecoder(MOST_BODY_BYTES);
  private final FrameEncoder encoder = new FrameEncoder();

  private byte[] bytes = {};
  private boolean ended;
  private boolean saidGoodbye;
  private @Nullable FrameType cutType;
  private int cutPlace;
  private boolean trickles;

  /** What a script does with each interval. */
  @FunctionalInterface
  interface Answers {
    /** Merges all and acknowledges each. */
    Answers ALL =
        (conversation, arrival) -> {
          conversation.merge(arrival);
          conversation.ack(arrival.sequence());
        };

    void take(ClientConversation conversation, Arrival arrival) throws IOException;
  }

  ClientConversation(CaseStage stage, Link link, int number) {
    this.stage = stage;
    this.link = link;
    this.check = new ConnectionCheck(stage.expected(), number);
  }

  /** Takes the HELLO; false when the connection ended without one. */
  boolean hello() throws IOException {
    FrameType type = read();
    if (type == null) {
      return false;
    }
    try {
      if (type == FrameType.HELLO) {
        check.hello((Frame.Hello) decoder.frame());
        return true;
      }
      check.breach(Law.HELLO, "HELLO as the first frame", type.toString());
    } catch (MalformedFrameException e) {
      check.breach(Law.HELLO, "a HELLO of version 1", e.getMessage());
    }
    close();
    return false;
  }

  /** Who speaks. */
  KnownInstance instance() {
    return check.instance();
  }

  /** From now on the kit reads no frame of this type whole: it cuts the connection there. */
  void cutIn(FrameType type, int place) {
    cutType = type;
    cutPlace = place;
  }

  /** From now on answers go out byte by byte. */
  void trickle() {
    trickles = true;
  }

  /** Welcomes as a sidecar does that has lost nothing. */
  void welcome() throws IOException {
    welcome(instance().settled);
  }

  /** Welcomes with another number. */
  void welcome(long settled) throws IOException {
    Frame.Welcome limits = stage.limits();
    send(
        encoder.welcome(
            check.welcomed(
                new Frame.Welcome(
                    FrameEncoder.VERSION,
                    settled,
                    limits.maxBodyBytes(),
                    limits.maxInFlight(),
                    limits.deflateLevel()))));
  }

  /** The bytes of the WELCOME that is due, for a script that spoils them. */
  byte[] welcomeBytes() {
    Frame.Welcome limits = stage.limits();
    return encoder
        .welcome(
            check.welcomed(
                new Frame.Welcome(
                    FrameEncoder.VERSION,
                    instance().settled,
                    limits.maxBodyBytes(),
                    limits.maxInFlight(),
                    limits.deflateLevel())))
        .take();
  }

  /**
   * The next interval; null when the connection ended, was cut, or the client said goodbye.
   *
   * @throws CaseEndException when the time is over
   */
  @Nullable Arrival next() throws IOException {
    while (!ended && !saidGoodbye) {
      FrameType type = read();
      if (type != null) {
        Arrival arrival = take(type);
        if (arrival != null) {
          return arrival;
        }
      }
    }
    return null;
  }

  /** The next interval; that there is one is what the case is about. */
  Arrival interval(String why) throws IOException {
    Arrival arrival = next();
    if (arrival == null) {
      throw new CaseEndException("expected an INTERVAL " + why + ", the connection ended");
    }
    return arrival;
  }

  private @Nullable Arrival take(FrameType type) throws IOException {
    try {
      if (type == FrameType.INTERVAL) {
        return check.interval(decoder, bytes);
      } else if (type == FrameType.GOODBYE) {
        saidGoodbye = true;
      } else if (type == FrameType.SERIES) {
        check.series((Frame.Series) decoder.frame());
      } else if (type == FrameType.HEALTH) {
        decoder.frame();
      } else {
        check.breach(Law.FRAMES, "frames of a client", type.toString());
      }
    } catch (MalformedFrameException e) {
      check.breach(Law.FRAMES, "a body of " + type + " as drawn", e.getMessage());
    }
    return null;
  }

  /** Serves until the connection ends; whether the client said goodbye. */
  boolean serve(Answers answers) throws IOException {
    for (Arrival arrival = next(); arrival != null; arrival = next()) {
      answers.take(this, arrival);
    }
    return saidGoodbye;
  }

  /** Merges and answers nothing for a while, in which a client may send too much. */
  void watch(long millis) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!ended && System.nanoTime() - start < millis * NANOS_PER_MILLI) {
      FrameType type = link.hasUnread() ? read() : null;
      if (type == null) {
        Thread.sleep(LOOK_MILLIS);
      } else {
        Arrival arrival = take(type);
        if (arrival != null) {
          merge(arrival);
        }
      }
    }
  }

  /** Counts an interval. */
  void merge(Arrival arrival) {
    if (arrival.kept().fate == Fate.OPEN) {
      arrival.kept().fate = Fate.MERGED;
    }
  }

  /** Takes all up to this number for settled; the script says so, or does not. */
  void settles(long sequence) {
    instance().settle(sequence);
    check.answered(sequence);
  }

  /** Settles all up to this number, which was read. */
  void ack(long sequence) throws IOException {
    settles(sequence);
    send(encoder.ack(sequence));
  }

  /** An ACK that settles nothing in the eyes of the kit. */
  void falseAck(long sequence) throws IOException {
    send(encoder.ack(sequence));
  }

  /** Refuses an interval for good, and settles it. */
  void refuse(Arrival arrival, int reason) throws IOException {
    arrival.kept().fate = Fate.REFUSED;
    arrival.kept().isSettled = true;
    sendReject(Frame.Reject.Scope.INTERVAL, arrival.sequence(), reason);
    ack(arrival.sequence());
  }

  /** Refuses the series of an interval, and with it the interval. */
  void refuseSeries(Arrival arrival, int reason) throws IOException {
    check.refuseSeries(arrival.seriesId());
    stage.ledger().mayMiss(arrival.kept().contents.series().toString());
    sendReject(Frame.Reject.Scope.SERIES, Integer.toUnsignedLong(arrival.seriesId()), reason);
    refuse(arrival, RejectReason.UNKNOWN_SERIES.code());
  }

  /** Refuses the connection, and does not close it: that is the client's to do. */
  void refuse(int reason) throws IOException {
    sendReject(Frame.Reject.Scope.CONNECTION, 0, reason);
  }

  private void sendReject(Frame.Reject.Scope scope, long reference, int reason) throws IOException {
    send(SpoiledFrames.reject(scope, reference, reason, "refused by the conformance kit"));
  }

  /** Answers GOODBYE, closes, and reads on: nothing may come behind it. */
  void endWell() throws IOException {
    ack(instance().settled);
    try {
      link.finish();
    } catch (IOException e) {
      ended = true; // The client has closed before.
    }
    awaitEnd();
  }

  /** Reads to the end of the connection, after GOODBYE. */
  void awaitEnd() throws IOException {
    while (!ended) {
      FrameType type = read();
      if (type != null && saidGoodbye) {
        check.breach(Law.GOODBYE, "nothing behind GOODBYE", type.toString());
      }
    }
    close();
  }

  /** Reads what comes to the end of the connection, which is the client's to bring about. */
  void readOn() throws IOException {
    serve((conversation, arrival) -> {});
  }

  /** The same, where no interval may come. */
  void readOnWithoutIntervals(Law law, String why) throws IOException {
    for (Arrival arrival = next(); arrival != null; arrival = next()) {
      check.breach(law, "no INTERVAL " + why, "interval " + arrival.sequence());
    }
  }

  void send(FrameEncoder frame) throws IOException {
    send(frame.take());
  }

  /** Sends any bytes. */
  void send(byte[] bytes) throws IOException {
    send(bytes, bytes.length);
  }

  /** Sends the first of these bytes. */
  void send(byte[] bytes, int length) throws IOException {
    try {
      if (trickles) {
        for (int i = 0; i < length; i++) {
          link.write(bytes, i, 1);
        }
      } else {
        link.write(bytes, 0, length);
      }
    } catch (IOException e) {
      stage.checkTime("to send an answer");
      ended = true; // The client has gone: what it sent before was read, or is lost.
    }
  }

  /** The next whole frame; null at the end. */
  private @Nullable FrameType read() throws IOException {
    try {
      byte[] header = link.read(HEADER_BYTES);
      if (header.length < HEADER_BYTES) {
        return end();
      }
      int whole = decoder.bytesNeeded(ByteBuffer.wrap(header));
      if (cutType != null && header[4] == cutType.code()) {
        link.read(Math.max(0, Math.min(cutPlace, whole) - HEADER_BYTES));
        cut();
        return null;
      }
      byte[] rest = link.read(whole - HEADER_BYTES);
      if (rest.length < whole - HEADER_BYTES) {
        return end();
      }
      ByteBuffer frame = ByteBuffer.allocate(whole).put(header).put(rest).flip();
      bytes = frame.array();
      check.body(header[4], whole - HEADER_BYTES - TRAILER_BYTES);
      decoder.next(frame);
      return decoder.type();
    } catch (MalformedFrameException e) {
      check.breach(Law.FRAMES, "a frame", e.getMessage());
      close();
      return null;
    } catch (IOException e) {
      return end(); // Reset by the client, or closed as the time is over.
    }
  }

  private @Nullable FrameType end() throws IOException {
    stage.checkTime("a frame on connection " + check.number());
    close();
    return null;
  }

  /** Ends the connection, by a reset and by an orderly end in turn. */
  void cut() throws IOException {
    ended = true;
    if (check.number() % 2 == 0) {
      link.reset();
    } else {
      link.close();
    }
  }

  void close() throws IOException {
    ended = true;
    link.close();
  }
}
