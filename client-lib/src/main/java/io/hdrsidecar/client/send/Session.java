package io.hdrsidecar.client.send;

import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.wire.Frame;
import io.hdrsidecar.wire.FrameDecoder;
import io.hdrsidecar.wire.FrameEncoder;
import io.hdrsidecar.wire.FrameType;
import io.hdrsidecar.wire.InstanceId;
import io.hdrsidecar.wire.MalformedFrameException;
import io.hdrsidecar.wire.RejectReason;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with the sidecar, over as many connections as it takes.
 *
 * <pre>
 *   AWAY --back-off over--> CONNECTING --connected, HELLO--> WELCOMING --WELCOME--> OPEN
 *     ^                          |                               |                    |
 *     '------------- failure, refusal, close, or an answer due for too long ----------'
 * </pre>
 *
 * <p>Why every interval is merged exactly once: it gets a sequence number when it is encoded and
 * stays in {@link InFlight} until the sidecar settles that number (ACK, REJECT, or WELCOME saying
 * it is merged). After a reconnect what is left is sent again with the same numbers, and the
 * sidecar drops the numbers it has merged. Nothing is encoded before a WELCOME, so what is in
 * flight is bounded by the window it states; all else waits in {@link PendingIntervals}.
 */
final class Session implements Connection.FrameListener {
  /** The protocol leaves the window to the sidecar; this bounds our memory whatever it says. */
  private static final int MAX_WINDOW = 1024;

  /** An INTERVAL of one bucket fits, so that any interval can be split to fit. */
  private static final int MIN_BODY_BYTES = 1024;

  private static final int FRAME_OVERHEAD_BYTES = 12;
  private static final long HURRIED_RETRY_NANOS = 50_000_000;

  private enum State {
    AWAY,
    CONNECTING,
    WELCOMING,
    OPEN
  }

  private final SendConfig config;
  private final InstanceId instance = InstanceId.random();
  private final PendingIntervals pending;
  private final SeriesRoster roster;
  private final Tally tally;
  private final StateLog log;
  private final InFlight inFlight = new InFlight();
  private final IntervalFramer framer = new IntervalFramer();
  private final FrameEncoder frames = new FrameEncoder();
  private final Backoff backoff;

  private State state = State.AWAY;
  private @Nullable Connection connection;
  private long connectionNumber;
  private Frame.Welcome limits = new Frame.Welcome(FrameEncoder.VERSION, 0, 0, 0, 0);
  private long nextSequence = 1;
  private long lastSentSequence;
  private long retryAt;
  private long openedAt;
  private boolean progressed;
  private boolean hurried;

  /** Since when the sidecar has owed an answer, or when it last said anything. */
  private long heardAt;

  private long now;

  Session(
      SendConfig config, PendingIntervals pending, SeriesRoster roster, Tally tally, StateLog log) {
    this.config = config;
    this.pending = pending;
    this.roster = roster;
    this.tally = tally;
    this.log = log;
    this.backoff = new Backoff(config.minBackoff(), config.maxBackoff(), config.random());
    this.now = config.ticker().getAsLong();
    this.retryAt = now;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  InFlight inFlight() {
    return inFlight;
  }

  /** Does what is due by time: connects, or gives up a connection that owes an answer. */
  void onTime(long nowNanos, Selector selector) {
    now = nowNanos;
    if (state == State.AWAY && now - retryAt >= 0) {
      connect(selector);
    } else if (owesAnswer() && now - heardAt >= config.stallTimeout().toNanos()) {
      lost(new IOException("no answer for " + config.stallTimeout()));
    }
  }

  /** When {@link #onTime} has something to do next, if nothing happens before. */
  long nextDeadline(long nowNanos) {
    if (state == State.AWAY) {
      return retryAt;
    }
    long stall = config.stallTimeout().toNanos();
    return owesAnswer() ? heardAt + stall : nowNanos + stall;
  }

  private boolean owesAnswer() {
    return switch (state) {
      case AWAY -> false;
      case CONNECTING, WELCOMING -> true;
      case OPEN -> inFlight.awaiting() > 0 || (connection != null && connection.hasUnwritten());
    };
  }

  /** From now on there is a deadline: a sidecar that is away is tried again at once and often. */
  void hurry() {
    hurried = true;
    if (state == State.AWAY) {
      retryAt = now;
    }
  }

  private void connect(Selector selector) {
    connectionNumber++;
    progressed = false;
    heardAt = now;
    try {
      Connection opened = Connection.open(config.address(), selector);
      connection = opened;
      state = State.CONNECTING;
      if (opened.isConnected()) {
        sayHello(opened);
      }
    } catch (IOException | RuntimeException e) {
      lost(e);
    }
  }

  /** The selector found the socket ready. */
  void onReady(long nowNanos) {
    now = nowNanos;
    Connection current = connection;
    if (current == null) {
      return;
    }
    try {
      if (state == State.CONNECTING) {
        if (current.finishConnect()) {
          sayHello(current);
        }
      } else if (current.read(this)) {
        heardAt = now;
      }
    } catch (IOException | MalformedFrameException e) {
      lost(e);
    }
  }

  private void sayHello(Connection current) throws IOException {
    state = State.WELCOMING;
    heardAt = now;
    Frame.Hello hello =
        new Frame.Hello(FrameEncoder.VERSION, instance, config.commonLabels(), config.token());
    current.send(ByteBuffer.wrap(frames.hello(hello).take()));
    current.write();
  }

  @Override
  public void onFrame(FrameDecoder decoder) throws IOException, MalformedFrameException {
    if (decoder.type() == FrameType.INTERVAL) {
      throw new ProtocolException("the sidecar must not send INTERVAL");
    }
    Frame frame = decoder.frame();
    if (frame instanceof Frame.Reject reject) {
      onReject(reject);
    } else if (frame instanceof Frame.Welcome welcome && state == State.WELCOMING) {
      onWelcome(welcome);
    } else if (frame instanceof Frame.Ack ack && state == State.OPEN) {
      settle(ack.sequence());
    } else {
      throw new ProtocolException(
          "the sidecar must not send " + decoder.type() + " while " + state);
    }
  }

  private void onWelcome(Frame.Welcome welcome) throws IOException {
    if (welcome.version() != FrameEncoder.VERSION
        || welcome.maxBodyBytes() < MIN_BODY_BYTES
        || welcome.maxInFlight() < 1
        || welcome.deflateLevel() < 0
        || welcome.deflateLevel() > 9) {
      throw new ProtocolException("limits this client cannot keep: " + welcome);
    }
    settle(welcome.lastSequence());
    limits = welcome;
    state = State.OPEN;
    openedAt = now;
    tally.welcomes++;
    log.forget();
    log.enter("connected", Level.INFO, "connected to " + config.address() + " as " + instance);
  }

  /** Everything up to this number is merged, or was refused before: it need not be kept. */
  private void settle(long sequence) throws ProtocolException {
    if (sequence < 0 || sequence > lastSentSequence) {
      throw new ProtocolException(
          "intervals up to "
              + sequence
              + " acknowledged, but only "
              + lastSentSequence
              + " were sent");
    }
    int before = inFlight.size();
    inFlight.settle(sequence, tally::acknowledged);
    progressed |= inFlight.size() < before;
  }

  private void onReject(Frame.Reject reject) throws ConnectionRefusedException {
    String reason =
        RejectReason.ofCode(reject.code()).map(RejectReason::label).orElse("code_" + reject.code());
    switch (reject.scope()) {
      case CONNECTION -> throw new ConnectionRefusedException(reason + ": " + reject.message());
      case SERIES -> {
        OutgoingSeries series = roster.withId(reject.reference());
        if (series != null) {
          refuse(series, reason, reject.message());
        }
      }
      case INTERVAL -> {
        InFlight.Interval interval = inFlight.remove(reject.reference());
        if (interval != null) {
          lose(interval, reason, reject.message());
        }
      }
    }
  }

  private void refuse(OutgoingSeries series, String reason, String message) {
    series.refusedOn(connectionNumber, reason);
    log.once(
        "series " + series.id(),
        Level.WARNING,
        "series " + series.definition().key() + " is refused, its values are lost: " + message);
  }

  private void lose(InFlight.Interval interval, String reason, String message) {
    tally.lost(reason, interval.values());
    progressed = true;
    log.once(
        "interval " + reason + " " + interval.series().id(),
        Level.WARNING,
        "intervals of "
            + interval.series().definition().key()
            + " are refused, their values are lost: "
            + message);
  }

  /** Sends what the window has room for: first what is encoded already, then what waits. */
  void pump() {
    Connection current = connection;
    if (state != State.OPEN || current == null) {
      return;
    }
    int window = Math.min(limits.maxInFlight(), MAX_WINDOW);
    while (sendEncoded(current, window) && !pending.isEmpty()) {
      encodeFirst();
    }
  }

  /** Sends encoded intervals; returns whether all are sent and the window has room for more. */
  private boolean sendEncoded(Connection current, int window) {
    InFlight.Interval next = inFlight.nextUnsent();
    while (next != null && inFlight.awaiting() < window) {
      if (announce(current, next.series())) {
        send(current, next);
      } else {
        inFlight.remove(next.sequence());
        lose(next, next.series().refusal(), "the series is refused");
      }
      next = inFlight.nextUnsent();
    }
    return next == null && inFlight.awaiting() < window;
  }

  private void send(Connection current, InFlight.Interval interval) {
    if (!owesAnswer()) {
      heardAt = now;
    }
    current.send(interval.frame());
    inFlight.markSent();
    if (interval.sequence() > lastSentSequence) {
      lastSentSequence = interval.sequence();
      tally.sentIntervals++;
    } else {
      tally.resentIntervals++;
    }
  }

  /** Says once per connection what an id stands for; returns whether the series is not refused. */
  private boolean announce(Connection current, OutgoingSeries series) {
    if (!series.isAnnouncedOn(connectionNumber)) {
      series.announcedOn(connectionNumber);
      byte[] frame = frames.series(series.id(), series.definition()).take();
      if (frame.length - FRAME_OVERHEAD_BYTES > limits.maxBodyBytes()) {
        String message = "its labels and help do not fit " + limits.maxBodyBytes() + " bytes";
        refuse(series, RejectReason.FRAME_TOO_LARGE.label(), message);
      } else {
        current.send(ByteBuffer.wrap(frame));
      }
    }
    return !series.isRefusedOn(connectionNumber);
  }

  private void encodeFirst() {
    OutgoingSeries series = pending.first();
    Accumulation counts = series == null ? null : series.waiting();
    if (series == null || counts == null) {
      return;
    }
    if (series.isRefusedOn(connectionNumber)) {
      tally.lost(series.refusal(), counts.count());
    } else {
      encode(series, counts);
    }
    pending.removeFirst();
  }

  private void encode(OutgoingSeries series, Accumulation counts) {
    List<InFlight.Interval> encoded = List.of();
    try {
      encoded =
          framer.frame(series, counts, nextSequence, limits.maxBodyBytes(), limits.deflateLevel());
    } finally {
      if (encoded.isEmpty()) {
        pending.moveFirstToEnd(); // The failure goes on to the loop; other series must not wait.
      }
    }
    encoded.forEach(inFlight::add);
    nextSequence += encoded.size();
  }

  /** Sends the client's figures, unless the sidecar is slow to read as it is. */
  void sendHealth(Map<String, Long> figures) {
    Connection current = connection;
    if (state == State.OPEN && current != null && !current.hasUnwritten()) {
      current.send(ByteBuffer.wrap(frames.health(figures).take()));
    }
  }

  /** Says that nothing more will come. */
  void sayGoodbye() {
    Connection current = connection;
    if (state == State.OPEN && current != null) {
      current.send(ByteBuffer.wrap(frames.goodbye().take()));
    }
  }

  /** Writes what the socket takes; returns whether all is written. */
  boolean write() {
    Connection current = connection;
    if (current == null || state == State.CONNECTING) {
      return true;
    }
    try {
      current.write();
      return !current.hasUnwritten();
    } catch (IOException e) {
      lost(lastWords(current, e));
      return true;
    }
  }

  /** A sidecar that refuses a connection closes it as well, and its reason may be unread yet. */
  private Exception lastWords(Connection current, IOException failure) {
    try {
      current.read(this);
      return failure;
    } catch (ConnectionRefusedException refusal) {
      return refusal;
    } catch (IOException | MalformedFrameException other) {
      return failure;
    }
  }

  /** Gives the connection up; what was in flight will be sent again on the next. */
  void lost(Throwable cause) {
    boolean wasOpen = state == State.OPEN;
    if (wasOpen && (progressed || now - openedAt >= config.maxBackoff().toNanos())) {
      backoff.reset();
    }
    disconnect();
    retryAt = now + (hurried ? HURRIED_RETRY_NANOS : backoff.next());
    logLost(wasOpen, cause);
  }

  private void logLost(boolean wasOpen, Throwable cause) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    if (cause instanceof ConnectionRefusedException) {
      log.enter(
          "refused " + why,
          Level.WARNING,
          "refused by " + config.address() + ", values wait: " + why);
    } else if (wasOpen) {
      log.enter("away", Level.WARNING, "lost " + config.address() + ", values wait: " + why);
    } else {
      log.enter(
          "away", Level.WARNING, "cannot reach " + config.address() + ", values wait: " + why);
    }
  }

  private void disconnect() {
    Connection closing = connection;
    connection = null;
    state = State.AWAY;
    inFlight.connectionLost();
    if (closing != null) {
      closing.close();
    }
  }

  /** Ends the session for good. */
  void end() {
    disconnect();
    framer.close();
  }
}
