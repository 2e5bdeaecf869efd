package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.LAYOUT;
import static io.hdrsidecar.sidecar.receive.FrameClient.counted;
import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a well-behaved client can rely on, over a real socket. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FrameServerTest {
  private final InstanceId instance = InstanceId.random();
  private RunningServer sidecar;

  @BeforeEach
  void start() {
    sidecar = new RunningServer();
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  @Test
  void hello_newInstance_isWelcomedWithTheLimits() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      Frame.Welcome welcome = client.hello(instance);

      assertThat(welcome).isEqualTo(new Frame.Welcome(1, 0, 1 << 20, 4096, 0));
    }
  }

  @Test
  void interval_manyRandomOnes_addUpToOneHistogram() throws Exception {
    SplittableRandom random = new SplittableRandom(42);
    Histogram expected = new Histogram(1, FrameClient.HIGHEST, 3);
    BigInteger sum = BigInteger.ZERO;
    long min = Long.MAX_VALUE;
    try (FrameClient client = sidecar.welcomed()) {
      client.series(7, definition("checkout", "route", "/pay"));
      for (int sequence = 1; sequence <= 300; sequence++) {
        long[] values = random.longs(200, 0, 1L << random.nextInt(2, 42)).toArray();
        client.interval(sequence, 7, values);
        for (long value : values) {
          expected.recordValue(value);
          sum = sum.add(BigInteger.valueOf(value));
          min = Math.min(min, value);
        }
      }
      assertThat(client.awaitAck(300)).isEmpty();
    }

    Distribution total = sidecar.total("checkout", "route", "/pay");
    assertThat(total.toHistogram()).isEqualTo(expected);
    assertThat(total.sum().toBigInteger()).isEqualTo(sum);
    assertThat(total.sumIsExact()).isTrue();
    assertThat(total.min()).isEqualTo(min);
    assertThat(sidecar.store().rejected()).isEmpty();
  }

  @Test
  void interval_twoInstancesOneSeries_addUp() throws Exception {
    try (FrameClient a = sidecar.welcomed();
        FrameClient b = sidecar.welcomed()) {
      a.series(1, definition("shared")).interval(1, 1, 5, 6).awaitAck(1);
      b.series(9, definition("shared")).interval(1, 9, 7).awaitAck(1);
    }

    assertThat(sidecar.total("shared").count()).isEqualTo(3);
  }

  @Test
  void interval_sentAgain_isAcknowledgedAndNotCountedAgain() throws Exception {
    try (FrameClient client = sidecar.welcomed()) {
      client.series(1, definition("x"));
      client.interval(1, 1, 5).interval(2, 1, 6).awaitAck(2);

      client.interval(1, 1, 5).interval(2, 1, 6).interval(3, 1, 7).awaitAck(3);
    }

    assertThat(sidecar.total("x").count()).isEqualTo(3);
    assertThat(sidecar.server().counters().duplicates()).isEqualTo(2);
  }

  @Test
  void hello_afterTheConnectionBroke_welcomesWithTheLastSequence() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      client.hello(instance);
      client.series(1, definition("x")).interval(1, 1, 5).interval(2, 1, 6).awaitAck(2);
    }
    try (FrameClient client = sidecar.connect()) {
      assertThat(client.hello(instance).lastSequence()).isEqualTo(2);

      client.series(1, definition("x")).interval(2, 1, 6).interval(3, 1, 7).awaitAck(3);
    }

    assertThat(sidecar.total("x").count()).isEqualTo(3);
  }

  @Test
  void hello_whileTheInstanceIsConnected_takesOverAtOnce() throws Exception {
    try (FrameClient old = sidecar.connect();
        FrameClient taker = sidecar.connect()) {
      old.hello(instance);
      old.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);

      assertThat(taker.hello(instance).lastSequence()).isEqualTo(1);
      old.interval(2, 1, 6);
      assertThat(old.rejectedWith(Frame.Reject.Scope.CONNECTION)).isEqualTo(RejectReason.REPLACED);
      old.awaitClose();
      taker.series(1, definition("x")).interval(2, 1, 6).awaitAck(2);
    }

    assertThat(sidecar.total("x").count()).isEqualTo(2);
  }

  @Test
  void goodbye_isAnsweredWithTheFinalAck_andRememberedForAWhile() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      client.hello(instance);
      client.series(1, definition("x")).interval(1, 1, 5);
      client.send(new FrameEncoder().goodbye());

      client.awaitAck(1);
      client.awaitClose();
    }
    try (FrameClient client = sidecar.connect()) {
      assertThat(client.hello(instance).lastSequence()).isEqualTo(1);
    }
  }

  @Test
  void lastSaidGoodbye_clientsThatLeaveOneWayAndTheOther_isAboutTheLast() throws Exception {
    ReceiveCounters counters = sidecar.server().counters();
    try (FrameClient client = sidecar.welcomed()) {
      assertThat(counters.lastSaidGoodbye()).isFalse();
      client.send(new FrameEncoder().goodbye());
      client.awaitClose();
    }
    RunningServer.eventually(counters::lastSaidGoodbye);

    sidecar.welcomed().close();

    RunningServer.eventually(() -> !counters.lastSaidGoodbye());
  }

  @Test
  void hello_commonLabels_joinThoseOfEachSeries() throws Exception {
    try (FrameClient client = sidecar.welcomed("service", "shop", "zone", "a")) {
      client.series(1, definition("x", "route", "/pay")).interval(1, 1, 5).awaitAck(1);
    }

    Distribution total = sidecar.total("x", "route", "/pay", "service", "shop", "zone", "a");
    assertThat(total.count()).isEqualTo(1);
  }

  @Test
  void interval_otherLayoutOfTheSameSeries_isKeptApart() throws Exception {
    BucketLayout coarse = BucketLayout.of(20_000, 2);
    long now = System.currentTimeMillis();
    try (FrameClient client = sidecar.welcomed()) {
      client.series(1, definition("x")).series(2, definition("x", Unit.NANOSECONDS, coarse));
      client.interval(1, 1, 344_063);
      var counts = counted(coarse, 344_063);
      client.interval(2, 2, IntervalHeader.of(counts, now, now), counts).awaitAck(2);
    }

    Distribution total = sidecar.total("x");
    assertThat(total.count()).isEqualTo(2);
    assertThat(total.size()).isEqualTo(2);
  }

  @Test
  void received_framesSplitAtEveryByte_areReadAllTheSame() throws Exception {
    for (int cut = 1; cut < conversation("split", 2).length; cut++) {
      byte[] stream = conversation("split", 2);
      long received = sidecar.server().counters().bytes() + cut;
      try (FrameClient client = sidecar.connect()) {
        client.send(Arrays.copyOfRange(stream, 0, cut));
        RunningServer.eventually(() -> sidecar.server().counters().bytes() == received);
        client.send(Arrays.copyOfRange(stream, cut, stream.length));

        assertThat(client.next()).isInstanceOf(Frame.Welcome.class);
        assertThat(client.awaitAck(2)).isEmpty();
      }
    }
    assertThat(sidecar.store().rejected()).isEmpty();
  }

  @Test
  void received_oneByteAtATime_isReadAllTheSame() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      for (byte b : conversation("slow", 20)) {
        client.send(new byte[] {b});
      }
      assertThat(client.next()).isInstanceOf(Frame.Welcome.class);
      assertThat(client.awaitAck(20)).isEmpty();
    }
    assertThat(sidecar.total("slow").count()).isEqualTo(40);
  }

  /** HELLO of a new instance, a series, and intervals of two values each. */
  private static byte[] conversation(String series, int intervals) {
    FrameEncoder out = new FrameEncoder();
    out.hello(new Frame.Hello(1, InstanceId.random(), io.hdrsidecar.series.Labels.empty(), ""));
    out.series(1, definition(series));
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      for (int sequence = 1; sequence <= intervals; sequence++) {
        var counts = counted(LAYOUT, sequence, 1_000_000L * sequence);
        out.interval(
            sequence,
            1,
            IntervalHeader.of(counts, 0, 1_000),
            histograms.encode(counts.counts(), FrameClient.HIGHEST, 0));
      }
    }
    return out.take();
  }

  @Test
  void received_manyFramesInOnePacket_areAnsweredWithOneAck() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      client.send(conversation("packed", 5));

      assertThat(client.next()).isInstanceOf(Frame.Welcome.class);
      assertThat(client.next()).isEqualTo(new Frame.Ack(5));
    }
  }

  @Test
  void health_figures_areKeptForExposition() throws Exception {
    try (FrameClient client = sidecar.connect()) {
      client.hello(instance, "service", "shop");
      client.send(new FrameEncoder().health(Map.of("reconnects_total", 3L, "other", 4L)));
      client.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);

      assertThat(sidecar.server().health().clients())
          .singleElement()
          .satisfies(
              figures -> {
                assertThat(figures.instance()).isEqualTo(instance);
                assertThat(figures.connected()).isTrue();
                assertThat(figures.commonLabels().get("service")).isEqualTo("shop");
                assertThat(figures.figures()).containsExactly(Map.entry("reconnects_total", 3L));
              });
    }
    RunningServer.eventually(
        () -> sidecar.server().health().clients().stream().noneMatch(ClientFigures::connected));
    assertThat(sidecar.server().health().clients()).hasSize(1);
    assertThat(sidecar.server().counters().unknownFigures()).isEqualTo(1);
  }

  @Test
  void mergeContext_task_runsOnTheThreadThatMerges() throws Exception {
    var ran = new CompletableFuture<String>();

    sidecar.server().mergeContext().execute(() -> ran.complete(Thread.currentThread().getName()));

    assertThat(ran.get()).contains("eventloop");
  }
}
