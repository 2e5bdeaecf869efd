package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.Destination;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Sender;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that hands intervals to something that does not know what others have settled. */
class OtherSinkTest {
  private final List<Long> taken = new CopyOnWriteArrayList<>();
  private final AtomicInteger destinations = new AtomicInteger();
  private volatile boolean hasRoom = true;
  private final Vertx vertx = Vertx.vertx();
  private final InstanceId instance = InstanceId.random();
  private final FrameServer server =
      new FrameServer(
          new ReceiveConfig("127.0.0.1", 0, null, ReceiveLimits.defaults()),
          new Sink(),
          IntervalLog.NONE,
          HeapBudget.ofThisProcess());

  private final class Sink implements IntervalSink {
    @Override
    public int maxCounters() {
      return 1 << 20;
    }

    @Override
    public Destination register(SeriesDefinition definition, Labels own) {
      destinations.incrementAndGet();
      return new Destination() {
        @Override
        public BucketLayout layout() {
          return definition.layout();
        }

        @Override
        public boolean isForgotten() {
          return false;
        }

        @Override
        public boolean isShared() {
          return true;
        }

        @Override
        public void release() {
          destinations.decrementAndGet();
        }
      };
    }

    @Override
    public Destination renewed(Destination destination) {
      return destination;
    }

    @Override
    public void take(
        Sender sender,
        Destination destination,
        DecodedHistogram histogram,
        IntervalFrame frame,
        ByteBuffer in)
        throws NotNowException {
      if (!hasRoom) {
        throw new NotNowException(RejectReason.MEMORY_LIMIT, "no room now");
      }
      taken.add(frame.sequence());
      sender.settle(frame.sequence());
    }

    @Override
    public void countRejected(RejectReason reason) {}

    @Override
    public Map<RejectReason, Long> rejected() {
      return Map.of();
    }

    @Override
    public boolean remembersInstances() {
      return false;
    }
  }

  @BeforeEach
  void start() throws Exception {
    vertx
        .deployVerticle(server)
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private FrameClient connect() throws Exception {
    return new FrameClient(server.actualPort());
  }

  private FrameClient declared(FrameClient client) throws Exception {
    return client.series(1, FrameClient.definition("checkout"));
  }

  @Test
  void hello_instanceThatWasHereBefore_isToldThatNothingIsSettled() throws Exception {
    try (FrameClient first = connect()) {
      assertThat(first.hello(instance).lastSequence()).isZero();
      declared(first).interval(70_000, 1, 5).awaitAck(70_000);
    }
    try (FrameClient second = connect()) {
      assertThat(second.hello(instance).lastSequence()).isZero();
      declared(second).interval(1, 1, 5).awaitAck(1);
      second.interval(1, 1, 5).interval(2, 1, 5).awaitAck(2); // Known on this connection.
    }

    assertThat(taken).containsExactly(70_000L, 1L, 2L);
  }

  @Test
  void hello_whileAnEarlierConnectionStands_replacesItAndBeginsAnew() throws Exception {
    try (FrameClient first = connect();
        FrameClient second = connect()) {
      first.hello(instance);
      declared(first).interval(3, 1, 5).awaitAck(3);
      assertThat(second.hello(instance).lastSequence()).isZero();

      assertThat(first.rejectedWith(Frame.Reject.Scope.CONNECTION))
          .isEqualTo(RejectReason.REPLACED);
      declared(second).interval(3, 1, 5).awaitAck(3);
    }

    assertThat(taken).containsExactly(3L, 3L);
  }

  @Test
  void interval_notNow_endsTheConnectionAndSettlesNothing() throws Exception {
    try (FrameClient client = connect()) {
      client.hello(instance);
      declared(client).interval(1, 1, 5).awaitAck(1);
      hasRoom = false;
      client.interval(2, 1, 5);

      assertThat(awaitReject(client, 1)).isEqualTo(RejectReason.MEMORY_LIMIT);
      client.awaitClose();
    }
  }

  /** Acknowledgements may come before it, but of nothing beyond this number. */
  private static RejectReason awaitReject(FrameClient client, long lastSettled) throws Exception {
    Frame frame = client.next();
    while (frame instanceof Frame.Ack ack) {
      assertThat(ack.sequence()).isLessThanOrEqualTo(lastSettled);
      frame = client.next();
    }
    assertThat(frame).isInstanceOf(Frame.Reject.class);
    return RejectReason.ofCode(((Frame.Reject) frame).code()).orElseThrow();
  }

  @Test
  void ids_declaredAgainAndGone_releaseWhereTheyLed() throws Exception {
    try (FrameClient client = connect()) {
      client.hello(instance);
      declared(client).interval(1, 1, 5).awaitAck(1);
      declared(client).series(2, FrameClient.definition("search")).interval(2, 2, 5).awaitAck(2);
      assertThat(destinations).hasValue(2);
    }

    RunningServer.eventually(() -> destinations.get() == 0);
  }
}
