package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.text.UserText;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
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
 *   AWAY --back-off over--> LOOKING_UP --> CONNECTING --HELLO--> WELCOMING --WELCOME--> OPEN
 *     ^                         |              |                    |                    |
 *     '--------------- failure, refusal, close, or an answer due for too long -----------'
 * </pre>
 *
 * <p>What is said while OPEN is the business of {@link Delivery}.
 */
public final class Session implements Connection.FrameListener {
  /** An INTERVAL of one bucket fits, so that any interval can be split to fit. */
  private static final int MIN_BODY_BYTES = 1024;

  private static final long HURRIED_RETRY_NANOS = 50_000_000;

  private enum State {
    AWAY,
    LOOKING_UP,
    CONNECTING,
    WELCOMING,
    OPEN
  }

  /** May object to the sidecars that values would pass. */
  @FunctionalInterface
  public interface PathCheck {
    /** Throws what ends the connection. */
    void check(List<InstanceId> path) throws ConnectionRefusedException;
  }

  private final SendConfig config;
  private final Delivery delivery;
  private final SendTally tally;
  private final StateLog log;
  private final CrashLog crash;
  private final FrameEncoder frames = new FrameEncoder();
  private final TlsContext tls;
  private final Lookup lookup;
  private final Backoff backoff;

  private @Nullable Labels resource;
  private PathCheck pathCheck = path -> {};
  private InstanceId instance;
  private State state = State.AWAY;
  private @Nullable Connection connection;
  private int attempts;
  private long retryAt;
  private long openedAt;
  private boolean hurried;
  private boolean leaving;

  /** Since when the sidecar has owed an answer, or when it last said anything. */
  private long heardAt;

  private long now;

  /** One that writes nothing down for a reader after a crash. */
  public Session(
      SendConfig config, InstanceId instance, Delivery delivery, SendTally tally, StateLog log) {
    this(config, instance, delivery, tally, log, CrashLog.NONE);
  }

  Session(
      SendConfig config,
      InstanceId instance,
      Delivery delivery,
      SendTally tally,
      StateLog log,
      CrashLog crash) {
    this.crash = crash;
    this.config = config;
    this.instance = instance;
    this.delivery = delivery;
    this.tally = tally;
    this.log = log;
    this.tls = new TlsContext(config.tls());
    SidecarAddress address = config.address();
    this.lookup = new Lookup(address::resolve, address.needsLookup());
    this.backoff = new Backoff(config.minBackoff(), config.maxBackoff(), config.random());
    this.now = config.ticker().getAsLong();
    this.retryAt = now;
  }

  /**
   * Speaks for a sidecar from now on.
   *
   * @param where it runs
   * @param check of the sidecars that values would pass
   */
  public void speakForSidecar(Labels where, PathCheck check) {
    resource = where;
    pathCheck = check;
  }

  /** Under which intervals are sent; another one once the numbers of this are taken. */
  public InstanceId instance() {
    return instance;
  }

  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** Does what is due by time: connects, or gives up a connection that owes an answer. */
  public void onTime(long nowNanos, Selector selector) {
    now = nowNanos;
    if (state == State.AWAY && now - retryAt >= 0) {
      lookUp(selector);
    }
    if (state == State.LOOKING_UP && lookup.isDone()) {
      connect(selector);
    } else if (owesAnswer() && now - heardAt >= config.stallTimeout().toNanos()) {
      lost(new IOException("no answer for " + UserText.shown(config.stallTimeout())));
    }
  }

  /** When {@link #onTime} has something to do next, if nothing happens before. */
  public long nextDeadline(long nowNanos) {
    if (state == State.AWAY) {
      return retryAt;
    }
    long stall = config.stallTimeout().toNanos();
    return owesAnswer() ? heardAt + stall : nowNanos + stall;
  }

  private boolean owesAnswer() {
    return switch (state) {
      case AWAY -> false;
      case LOOKING_UP, CONNECTING, WELCOMING -> true;
      case OPEN ->
          delivery.inFlight().awaiting() > 0 || (connection != null && connection.hasUnwritten());
    };
  }

  /** From now on there is a deadline: a sidecar that is away is tried again at once and often. */
  public void hurry() {
    hurried = true;
    if (state == State.AWAY) {
      retryAt = now;
    }
  }

  /** The deadline has passed: a sidecar that is away is tried with the usual back-off again. */
  void relax() {
    hurried = false;
  }

  private void lookUp(Selector selector) {
    heardAt = now;
    state = State.LOOKING_UP;
    lookup.start(attempts++, selector);
  }

  private void connect(Selector selector) {
    try {
      Connection opened = Connection.open(config.address(), lookup.take(), tls, selector);
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
  public void onReady(long nowNanos) {
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
        new Frame.Hello(
            FrameEncoder.VERSION,
            instance,
            config.commonLabels(),
            config.token().current(),
            resource);
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
      delivery.settle(ack.sequence());
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
    pathCheck.check(welcome.path());
    if (delivery.isOutOfStep(welcome.lastSequence())) {
      throw startOver(welcome.lastSequence());
    }
    delivery.welcomed(welcome);
    state = State.OPEN;
    openedAt = now;
    tally.welcomes++;
    log.forget();
    log.enter("connected", Level.INFO, "connected to " + config.address() + " as " + instance);
  }

  /** The next connection is one of a new instance; this one ends by what is returned. */
  private ProtocolException startOver(long settled) {
    InstanceId before = instance;
    instance = InstanceId.random();
    long unknown = delivery.startOver(settled, () -> crash.startOver(instance, config, log));
    String why =
        "the sidecar has settled interval "
            + settled
            + " of "
            + before
            + ", which does not fit what was sent: somebody else has used its id, or the sidecar"
            + " was set back; goes on as "
            + instance
            + ", lost as nobody knows whether they were counted: values="
            + unknown;
    log.once("numbers", Level.WARNING, why);
    return new ProtocolException(why);
  }

  private void onReject(Frame.Reject reject) throws IOException {
    String reason = RejectReason.ofCode(reject.code()).map(RejectReason::label).orElse("unknown");
    switch (reject.scope()) {
      case CONNECTION -> throw new ConnectionRefusedException(reason + ": " + reject.message());
      case SERIES -> delivery.refuseSeries(reject.reference(), reason, reject.message());
      case INTERVAL -> delivery.refuseInterval(reject.reference(), reason, reject.message());
    }
  }

  /** Sends what the sidecar has room for. */
  public void pump() {
    Connection current = connection;
    if (state == State.OPEN && current != null) {
      boolean owed = owesAnswer();
      delivery.pump(current);
      if (!owed) {
        heardAt = now; // If it owes one now, then since now.
      }
    }
  }

  /** Sends the client's figures; nothing behind GOODBYE, which says that nothing more will come. */
  public void sendHealth(Map<String, Long> figures) {
    Connection current = connection;
    if (state == State.OPEN && current != null && !leaving) {
      current.send(ByteBuffer.wrap(frames.health(figures).take()));
    }
  }

  /** Says that nothing more will come. */
  public void sayGoodbye() {
    Connection current = connection;
    if (state == State.OPEN && current != null) {
      leaving = true;
      current.send(ByteBuffer.wrap(frames.goodbye().take()));
    }
  }

  /** Writes what the socket takes; returns whether all is written. */
  public boolean write() {
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
  public void lost(Throwable cause) {
    boolean wasOpen = state == State.OPEN;
    if (wasOpen && (delivery.hasProgressed() || now - openedAt >= config.maxBackoff().toNanos())) {
      backoff.reset();
    }
    disconnect();
    retryAt = now + (hurried ? HURRIED_RETRY_NANOS : backoff.next());
    logLost(wasOpen, cause);
  }

  private void logLost(boolean wasOpen, Throwable cause) {
    if (leaving) {
      return; // All is delivered, and the end of the connection is what was asked for.
    }
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
          "away",
          Level.WARNING,
          "no connection with " + config.address() + ", values wait: " + why);
    }
  }

  /** Closes the connection; what is in flight stays. */
  public void disconnect() {
    Connection closing = connection;
    connection = null;
    state = State.AWAY;
    delivery.connectionLost();
    if (closing != null) {
      closing.close();
    }
  }
}
