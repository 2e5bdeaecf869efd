package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.LAYOUT;
import static io.hdrsidecar.sidecar.receive.FrameClient.counted;
import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.Frame.Reject.Scope;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an ill-behaved client gets: a reason. What it costs others: nothing, which is checked after
 * each test through a connection that was there before.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RefusalTest {
  private RunningServer sidecar;
  private FrameClient bystander;
  private FrameClient client;

  @BeforeEach
  void start() throws Exception {
    sidecar = new RunningServer();
    bystander = sidecar.welcomed();
    bystander.series(1, definition("bystander")).interval(1, 1, 5).awaitAck(1);
    client = sidecar.connect();
  }

  @AfterEach
  void othersGoOn_andStop() throws Exception {
    bystander.interval(2, 1, 6).awaitAck(2);
    assertThat(sidecar.total("bystander").count()).isEqualTo(2);
    client.close();
    bystander.close();
    sidecar.close();
  }

  // Connections

  @Test
  void connection_notOurProtocol_isRefusedForItsHeader() throws Exception {
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertConnectionRefused(RejectReason.BAD_HEADER);
  }

  @Test
  void connection_wrongMagic_isRefused() throws Exception {
    client.send(HandMadeFrames.changed(hello(), body -> body.putInt(8, 0x12345678)));
    assertConnectionRefused(RejectReason.BAD_MAGIC);
  }

  @Test
  void connection_otherVersion_isRefused() throws Exception {
    client.send(HandMadeFrames.changed(hello(), body -> body.putShort(12, (short) 99)));
    assertConnectionRefused(RejectReason.UNSUPPORTED_VERSION);
  }

  @Test
  void connection_bodyTooLong_isRefusedBeforeItArrives() throws Exception {
    client.send(HandMadeFrames.header(Integer.MAX_VALUE));
    assertConnectionRefused(RejectReason.FRAME_TOO_LARGE);
  }

  @Test
  void connection_damagedBody_isRefusedForItsChecksum() throws Exception {
    byte[] frame = hello();
    frame[20] ^= 1;
    client.send(frame);
    assertConnectionRefused(RejectReason.BAD_CRC);
  }

  @Test
  void connection_damagedHeader_isRefused() throws Exception {
    byte[] frame = hello();
    frame[3] ^= 1;
    client.send(frame);
    assertConnectionRefused(RejectReason.BAD_HEADER);
  }

  @Test
  void connection_unknownType_isRefused() throws Exception {
    client.send(HandMadeFrames.changed(hello(), frame -> frame.put(4, (byte) 77)));
    assertConnectionRefused(RejectReason.UNKNOWN_FRAME);
  }

  @Test
  void connection_notHelloFirst_isRefused() throws Exception {
    client.series(1, definition("x"));
    assertConnectionRefused(RejectReason.UNEXPECTED_FRAME);
  }

  @Test
  void connection_helloTwice_isRefused() throws Exception {
    client.hello(InstanceId.random());
    client.sendHello(InstanceId.random());
    assertConnectionRefused(RejectReason.UNEXPECTED_FRAME);
  }

  @Test
  void connection_helloCutShort_isRefused() throws Exception {
    client.send(HandMadeFrames.frame(1, new byte[] {'H', 'D', 'R', 'S', 0, 1}));
    assertConnectionRefused(RejectReason.BAD_FRAME);
  }

  @Test
  void connection_reservedCommonLabel_isRefused() throws Exception {
    String hello = new String(hello("jab", "x"), StandardCharsets.ISO_8859_1);
    byte[] reserved = hello.replace("jab", "job").getBytes(StandardCharsets.ISO_8859_1);
    client.send(HandMadeFrames.changed(reserved, frame -> frame));
    assertConnectionRefused(RejectReason.BAD_SERIES);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void connection_floodOfRandomBytes_isRefused(long seed) throws Exception {
    client.hello(InstanceId.random());
    byte[] noise = new byte[1 << 16];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      random.nextBytes(noise);
      try (FrameClient attacker = i % 2 == 0 ? sidecar.connect() : sidecar.welcomed()) {
        attacker.send(noise);
        assertThat(attacker.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.BAD_HEADER);
      }
    }
    RunningServer.eventually(() -> sidecar.server().counters().connections() == 2);
  }

  private void assertConnectionRefused(RejectReason reason) throws Exception {
    assertThat(client.rejectedWith(Scope.CONNECTION)).isEqualTo(reason);
    assertThat(sidecar.rejected(reason)).isEqualTo(1);
    client.awaitClose();
  }

  // Series

  @ParameterizedTest
  @CsvSource({"9badname, ok", "x, le", "x, job", "x, quantile", "x, __name", "x, bad-label"})
  void series_nameOrLabelPrometheusRefuses_isRejected(String name, String label) throws Exception {
    client.hello(InstanceId.random());
    FrameEncoder fit =
        new FrameEncoder().series(3, definition("y".repeat(name.length()), same(label), "v"));
    String text = new String(fit.take(), StandardCharsets.ISO_8859_1);
    byte[] unfit =
        text.replace("y".repeat(name.length()), name)
            .replace(same(label), label)
            .getBytes(StandardCharsets.ISO_8859_1);
    client.send(HandMadeFrames.changed(unfit, frame -> frame));

    assertSeriesRejected(RejectReason.BAD_SERIES);
  }

  private static String same(String label) {
    return "z".repeat(label.length());
  }

  @Test
  void series_otherUnit_isRejectedAndTheFirstStays() throws Exception {
    client.hello(InstanceId.random());
    client.series(3, definition("bystander", Unit.BYTES, LAYOUT));

    assertSeriesRejected(RejectReason.SERIES_CONFLICT);
    assertThat(sidecar.total("bystander").count()).isEqualTo(1);
  }

  @Test
  void series_commonLabelInTheWay_isRejected() throws Exception {
    client.hello(InstanceId.random(), "zone", "a");
    client.series(3, definition("x", "zone", "b"));

    assertSeriesRejected(RejectReason.BAD_SERIES);
  }

  @Test
  void series_tooManyCounters_isRejected() throws Exception {
    client.hello(InstanceId.random());
    client.series(3, definition("x", Unit.NANOSECONDS, BucketLayout.of(1, 5)));

    assertSeriesRejected(RejectReason.CONFIGURATION_LIMIT);
  }

  @Test
  void series_cutShort_isRejected() throws Exception {
    client.hello(InstanceId.random());
    client.send(HandMadeFrames.frame(3, new byte[] {0, 0, 0, 3}));

    assertSeriesRejected(RejectReason.BAD_FRAME);
  }

  private void assertSeriesRejected(RejectReason reason) throws Exception {
    assertThat(client.rejectedWith(Scope.SERIES)).isEqualTo(reason);
    assertThat(sidecar.rejected(reason)).isEqualTo(1);
    client.interval(1, 3, 5);
    assertThat(client.awaitAck(1))
        .extracting(Frame.Reject::code)
        .containsExactly(RejectReason.UNKNOWN_SERIES.code());
    client.series(4, definition("good")).interval(2, 4, 5);
    assertThat(client.awaitAck(2)).isEmpty();
  }

  // Intervals

  @Test
  void interval_unknownSeries_isRejectedAndSettled() throws Exception {
    assertIntervalRejected(RejectReason.UNKNOWN_SERIES, 99, figures -> figures, counted(LAYOUT, 5));
  }

  @Test
  void interval_otherLayoutThanRegistered_isRejected() throws Exception {
    Accumulation coarse = counted(BucketLayout.of(1, 2), 5);
    assertIntervalRejected(RejectReason.LAYOUT_MISMATCH, 1, figures -> figures, coarse);
  }

  @Test
  void interval_countNotThatOfThePayload_isRejected() throws Exception {
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH,
        f -> with(f, f.count() + 1, f.sumMinMax().min(), f.sumMinMax().max()));
  }

  @Test
  void interval_withoutCounts_isRejected() throws Exception {
    assertIntervalRejected(RejectReason.COUNT_MISMATCH, 1, f -> f, new Accumulation(LAYOUT));
  }

  @Test
  void interval_minimumOutsideTheFirstBucket_isRejected() throws Exception {
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH, f -> with(f, f.count(), 4, f.sumMinMax().max()));
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH, f -> with(f, f.count(), 6, f.sumMinMax().max()));
  }

  @Test
  void interval_maximumOutsideTheLastBucket_isRejected() throws Exception {
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH, f -> with(f, f.count(), f.sumMinMax().min(), 1L << 40));
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH, f -> with(f, f.count(), f.sumMinMax().min(), 6));
  }

  @Test
  void interval_negativeSum_isRejected() throws Exception {
    assertFiguresRejected(
        RejectReason.COUNT_MISMATCH,
        f ->
            new IntervalHeader(
                f.startMillis(),
                f.endMillis(),
                f.count(),
                SumMinMax.of(-1, 0, true, f.sumMinMax().min(), f.sumMinMax().max())));
  }

  @Test
  void interval_endBeforeStart_isRejected() throws Exception {
    assertFiguresRejected(
        RejectReason.BAD_TIME,
        f ->
            new IntervalHeader(
                2_000,
                1_000,
                f.count(),
                SumMinMax.of(0, 5, true, f.sumMinMax().min(), f.sumMinMax().max())));
  }

  @Test
  void interval_countsWouldOverflow_isRejected() throws Exception {
    Accumulation most = new Accumulation(LAYOUT);
    most.counts().add(5, Long.MAX_VALUE);
    most.widen(5, 5);
    client.hello(InstanceId.random());
    client.series(1, definition("x")).interval(1, 1, figuresOf(most), most);
    assertThat(client.awaitAck(1)).isEmpty();

    client.interval(2, 1, 5);

    assertThat(client.awaitAck(2))
        .extracting(Frame.Reject::code)
        .containsExactly(RejectReason.COUNT_OVERFLOW.code());
    assertThat(sidecar.total("x").count()).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void interval_sequenceBelowOne_isRejected(long sequence) throws Exception {
    client.hello(InstanceId.random());
    client.series(1, definition("x")).interval(sequence, 1, 5).interval(1, 1, 6);

    assertThat(client.awaitAck(1))
        .extracting(Frame.Reject::code)
        .containsExactly(RejectReason.BAD_FRAME.code());
    assertThat(sidecar.total("x").count()).isEqualTo(1);
  }

  @Test
  void interval_payloadNoHistogram_isRejected() throws Exception {
    Accumulation counts = counted(LAYOUT, 5, 70_000);
    client.hello(InstanceId.random());
    client.series(1, definition("x"));
    client.send(
        new FrameEncoder().interval(1, 1, figuresOf(counts), ByteBuffer.wrap(new byte[100])));

    assertThat(client.awaitAck(1))
        .extracting(Frame.Reject::code)
        .containsExactly(RejectReason.BAD_PAYLOAD.code());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 71})
  void interval_bodyCutShort_isRejectedAndSettled(int length) throws Exception {
    client.hello(InstanceId.random());
    client.series(1, definition("x"));
    byte[] body = new byte[length];
    body[7] = 1;
    client.send(HandMadeFrames.frame(4, body));

    assertThat(client.awaitAck(1))
        .extracting(Frame.Reject::code)
        .containsExactly(RejectReason.BAD_FRAME.code());
    client.interval(2, 1, 5).awaitAck(2);
  }

  private void assertFiguresRejected(RejectReason reason, UnaryOperator<IntervalHeader> change)
      throws Exception {
    try (FrameClient another = sidecar.connect()) {
      client = another;
      assertIntervalRejected(reason, 1, change, counted(LAYOUT, 5, 70_000));
    }
  }

  private void assertIntervalRejected(
      RejectReason reason, int id, UnaryOperator<IntervalHeader> change, Accumulation counts)
      throws Exception {
    long before = sidecar.rejected(reason);
    client.hello(InstanceId.random());
    client.series(1, definition("x"));
    client.interval(1, id, change.apply(figuresOf(counts)), counts).interval(2, 1, 5);

    List<Frame.Reject> rejects = client.awaitAck(2);

    assertThat(rejects).extracting(Frame.Reject::reference).containsExactly(1L);
    assertThat(rejects).extracting(Frame.Reject::code).containsExactly(reason.code());
    assertThat(rejects).extracting(Frame.Reject::scope).containsExactly(Scope.INTERVAL);
    assertThat(sidecar.rejected(reason)).isEqualTo(before + 1);
    assertThat(ReceiveCounters.LOSING_REASONS).contains(reason);
    assertThat(sidecar.total("x").max()).isEqualTo(5);
  }

  private static IntervalHeader figuresOf(Accumulation counts) {
    return IntervalHeader.of(counts, 1_000, 2_000);
  }

  private static IntervalHeader with(IntervalHeader f, long count, long min, long max) {
    return new IntervalHeader(
        f.startMillis(),
        f.endMillis(),
        count,
        SumMinMax.of(f.sumMinMax().sum().high(), f.sumMinMax().sum().low(), true, min, max));
  }

  // Frames by hand

  private static byte[] hello(String... labels) {
    return new FrameEncoder()
        .hello(new Frame.Hello(1, InstanceId.random(), Labels.of(labels), ""))
        .take();
  }
}
