package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.internal.text.UserText.shown;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One client's conversation: HELLO, then SERIES, INTERVAL and HEALTH in any order, then GOODBYE.
 *
 * <p>Everything that arrives in one read is answered in one write: what was refused, then one ACK
 * for the highest settled sequence number, unless that waits for the journal. A refused interval is
 * settled too, for sending it again would not help. Frames whose header, length or checksum is
 * wrong end the conversation; others only cost their sender that frame. Merge context only.
 */
final class ClientConnection implements FrameIntake.Owner {
  /** A client that has something to tell begins at once. */
  private static final long SHORT_SILENCE = 3_000_000_000L;

  /** Later it may have nothing to tell for long, but sends HEALTH each 10 s. */
  private static final long LONG_SILENCE = 15_000_000_000L;

  private enum State {
    EXPECTING_HELLO,
    OPEN,
    /** It is about to end; the last answer waits for the journal. Nothing more is looked at. */
    LEAVING,
    /** Nothing that arrives is looked at any more. */
    DEAD
  }

  private final ConnectionContext shared;
  private final ConnectionPeer peer;
  private final Predicate<String> admission;
  private final FrameDecoder decoder;
  private final FrameIntake intake;
  private final DeclaredIds seriesIds;
  private final Declarations declarations;
  private final ClientIntervals intervals;
  private State state = State.EXPECTING_HELLO;
  private @Nullable Instance instance;
  private final HeapClaim labelsClaim;
  private CommonLabels commonLabels = CommonLabels.NONE;
  private boolean ackDue;
  private boolean saidGoodbye;
  private long lastFrameNanos;

  /**
   * A connection of which nothing has been read.
   *
   * @param admission whether a token is enough to be let in
   */
  ClientConnection(ConnectionContext shared, ConnectionPeer peer, Predicate<String> admission) {
    this.shared = shared;
    this.peer = peer;
    this.admission = admission;
    this.labelsClaim = shared.clients().claim();
    this.seriesIds = new DeclaredIds(shared.idBudget(), shared.limits().maxSeriesPerConnection());
    this.decoder = new FrameDecoder(shared.limits().maxBodyBytes());
    this.declarations = new Declarations(shared, decoder, seriesIds, this::client);
    this.intervals = new ClientIntervals(shared, decoder, seriesIds, this::client);
    this.intake = new FrameIntake(this, decoder, shared.room(), shared.nanoTime());
    this.lastFrameNanos = shared.nanoTime().getAsLong();
  }

  /** Bytes have arrived. */
  void received(Buffer chunk) {
    shared.counters().received(chunk.length());
    look(() -> intake.read(chunk));
    shared.room().serve();
  }

  /** The frame that waited for room has it. */
  @Override
  public void granted(Runnable readOn) {
    look(readOn);
    release();
  }

  private void look(Runnable reading) {
    boolean done = false;
    try {
      reading.run();
      answer();
      done = true;
    } finally {
      if (!done) {
        abandon();
      }
    }
    if (intake.isWaiting()) {
      peer.hold();
    }
    if (shared.log().isFull() && state == State.OPEN) {
      shared.holdAll().run();
    }
  }

  @Override
  public boolean isListening() {
    return state == State.EXPECTING_HELLO || state == State.OPEN;
  }

  /** A mistake of ours must not leave half an answer in the encoder that all connections share. */
  private void abandon() {
    shared.encoder().take();
    die();
  }

  @Override
  public boolean hasProved() {
    Instance known = instance;
    return known != null && known.lastSequence() > 0;
  }

  /** Throws what ends the conversation. */
  @Override
  public void frame(ByteBuffer unread) throws MalformedFrameException {
    shared.counters().frame();
    lastFrameNanos = shared.nanoTime().getAsLong();
    FrameType type = decoder.type();
    Instance known = instance;
    if (known == null) {
      hello(type);
      return;
    }
    try {
      switch (type) {
        case INTERVAL -> {
          ackDue = true;
          intervals.read(known, unread);
        }
        case SERIES -> declarations.read(commonLabels);
        case HEALTH -> health(known);
        case GOODBYE -> goodbye(known);
        default -> throw unexpected("SERIES, INTERVAL, HEALTH or GOODBYE", type);
      }
    } catch (NotNowException e) {
      leave(e);
    }
  }

  /**
   * Ends it, but not before it has been told of all that was taken: otherwise the next connection
   * would bring the same again, and get no further.
   */
  private void leave(NotNowException why) {
    state = State.LEAVING;
    ackDue = true;
    shared.log().whenDurable(() -> reject(why.reason(), String.valueOf(why.getMessage())));
  }

  private static MalformedFrameException unexpected(String wanted, FrameType came) {
    return new MalformedFrameException(
        RejectReason.UNEXPECTED_FRAME, "expected " + wanted + ", not " + came);
  }

  private void hello(FrameType type) throws MalformedFrameException {
    if (type != FrameType.HELLO || !(decoder.frame() instanceof Frame.Hello hello)) {
      throw unexpected("HELLO first", type);
    }
    if (!admission.test(hello.token())) {
      throw new MalformedFrameException(RejectReason.UNAUTHORIZED, "token missing or wrong");
    }
    CommonLabels common = CommonLabels.of(hello, shared.resources());
    if (!labelsClaim.tryGrow(IngestShares.bytesOf(common.all()))) {
      throw new MalformedFrameException(
          RejectReason.MEMORY_LIMIT, "no memory for common labels now; connect again");
    }
    commonLabels = common;
    Instance known =
        shared.instances().connect(hello.instance(), this, peer.name(), lastFrameNanos);
    instance = known;
    shared.health().connected(known.id(), common.all());
    state = State.OPEN;
    shared
        .encoder()
        .welcome(
            new Frame.Welcome(
                FrameEncoder.VERSION,
                known.durableSequence(),
                shared.limits().maxBodyBytes(),
                shared.limits().maxInFlight(),
                peer.isLocal() ? 0 : 1,
                common.areOfSidecar() ? shared.path().path() : List.of()));
  }

  /** Figures that cannot be kept cost nothing but themselves: the intervals matter more. */
  private void health(Instance known) {
    try {
      if (!(decoder.frame() instanceof Frame.Health health)) {
        throw new IllegalStateException("HEALTH was not read as HEALTH");
      }
      shared.health().put(known.id(), commonLabels.all(), health.figures());
    } catch (MalformedFrameException e) {
      shared.rejects().count(e.reason(), this::client);
    }
  }

  private void goodbye(Instance known) {
    ackDue = true;
    saidGoodbye = true;
    state = State.LEAVING;
    shared.log().appendGoodbye(known.id());
    answer();
    leaveIfSettled(known);
  }

  private void leaveIfSettled(Instance known) {
    if (saidGoodbye && state == State.LEAVING && known.durableSequence() >= known.lastSequence()) {
      die();
    }
  }

  /** More of what this client sent is in the journal: tells it. */
  void becameDurable() {
    Instance known = instance;
    if (known != null) {
      shared.encoder().ack(known.durableSequence());
      peer.send(shared.encoder().take());
      leaveIfSettled(known);
    }
  }

  /** The way up from here has changed: a sidecar below connects again, and is told. */
  void endIfSidecar() {
    if (commonLabels.areOfSidecar() && state == State.OPEN) {
      die();
    }
  }

  /** All that it has sent and that is not settled has to be sent again. */
  void end() {
    if (state != State.DEAD) {
      die();
    }
  }

  /** The journal has no room for what it would send. */
  void hold() {
    if (state == State.OPEN) {
      peer.hold();
    }
  }

  /** The journal has room again. */
  void release() {
    if (peer.isHeld() && !intake.isWaiting()) {
      lastFrameNanos = shared.nanoTime().getAsLong(); // Its silence was ours.
      peer.release();
    }
  }

  /** Sends what is due: refusals are in the encoder already, the ACK goes last. */
  private void answer() {
    encodeAckIfDue();
    if (shared.encoder().size() > 0) {
      peer.send(shared.encoder().take());
    }
  }

  private void encodeAckIfDue() {
    Instance known = instance;
    if (ackDue && known != null) {
      ackDue = false;
      if (shared.answers().settle(known)) {
        shared.encoder().ack(known.durableSequence());
      }
    }
  }

  /** Refuses the connection and ends it. */
  @Override
  public void reject(RejectReason reason, String message) {
    if (state != State.DEAD) {
      shared.rejects().count(reason, this::client);
      encodeAckIfDue();
      shared.encoder().reject(Frame.Reject.Scope.CONNECTION, 0, reason, message);
      peer.send(shared.encoder().take());
      die();
    }
  }

  private RejectedClient client() {
    InstanceId id = instance == null ? null : instance.id();
    return new RejectedClient(peer.address(), id, commonLabels.all());
  }

  /** A newer connection speaks for the instance: from now on nothing is merged through this one. */
  void replaced() {
    reject(RejectReason.REPLACED, "another connection of this instance has said HELLO");
  }

  /** Ends the connection when it has been silent for too long, if it could be heard. */
  void checkIdle(long nowNanos) {
    if (intake.isOverdue(nowNanos)) {
      reject(RejectReason.IDLE, "frame did not come to its end while others waited for its room");
    }
    if (peer.isHeld()) {
      return;
    }
    long silentNanos = silentNanos(nowNanos);
    if (state == State.EXPECTING_HELLO && silentNanos > shared.limits().helloTimeout().toNanos()) {
      reject(RejectReason.IDLE, "no HELLO within " + shown(shared.limits().helloTimeout()));
    } else if (state != State.DEAD && silentNanos > shared.limits().idleTimeout().toNanos()) {
      reject(RejectReason.IDLE, "no frame within " + shown(shared.limits().idleTimeout()));
    }
  }

  /** Whether its place is another's if there are too many connections. */
  boolean mayGiveWay(long nowNanos) {
    return isListening() && silentNanos(nowNanos) > (hasProved() ? LONG_SILENCE : SHORT_SILENCE);
  }

  /** For how long no whole frame has come. */
  long silentNanos(long nowNanos) {
    return nowNanos - lastFrameNanos;
  }

  private void die() {
    closed();
    peer.finish();
  }

  /** The socket is closed. */
  void closed() {
    state = State.DEAD;
    intake.end();
    labelsClaim.close();
    leaveInstance();
  }

  private void leaveInstance() {
    Instance known = instance;
    if (known != null) {
      instance = null;
      seriesIds.clear();
      shared.counters().left(saidGoodbye);
      shared.health().disconnected(known.id(), saidGoodbye);
      shared.instances().disconnect(known, this, saidGoodbye, shared.nanoTime().getAsLong());
    }
  }
}
