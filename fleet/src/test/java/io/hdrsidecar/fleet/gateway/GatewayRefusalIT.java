package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.support.FleetTruth;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged, too long or a stranger's never gets as far as Kafka. */
class GatewayRefusalIT {
  private static final int PARTITIONS = 2;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 2);
  private static final long HIGHEST = 1_000_000;

  private static KafkaBroker broker;

  @TempDir private Path folder = Path.of("");
  private final String prefix = "hdr" + System.nanoTime();
  private RunningGateway gateway;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new KafkaBroker();
  }

  @AfterAll
  static void stopBroker() throws Exception {
    broker.close();
  }

  @BeforeEach
  void start() throws Exception {
    broker.createTopics(prefix, PARTITIONS);
    Path tokens = Files.writeString(folder.resolve("tokens"), "secret\n");
    gateway =
        new RunningGateway(
            broker,
            prefix,
            PARTITIONS,
            "--ingest-token-file=" + tokens,
            "--series-max-label-length=64",
            "--series-max-counters=100000");
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  /** Writes frames as it likes, and reads answers. */
  private final class Peer implements AutoCloseable {
    private final SocketChannel socket;
    private final FrameEncoder out = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder(1 << 20);
    private final ByteBuffer in = ByteBuffer.allocate(1 << 20).limit(0);

    Peer() throws IOException {
      this(gateway);
    }

    Peer(RunningGateway to) throws IOException {
      socket =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), to.port()));
    }

    Peer hello(String token) throws Exception {
      out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), token));
      return send(out.take());
    }

    Peer series(int id, long highest, String... labels) throws Exception {
      SeriesKey key = new SeriesKey("checkout", Labels.of(labels));
      out.series(id, new SeriesDefinition(key, Unit.NONE, "help", LAYOUT, highest));
      return send(out.take());
    }

    Peer interval(long sequence, int id, long value) throws Exception {
      return interval(sequence, id, value, value);
    }

    /** Says of a value that it was another one. */
    Peer interval(long sequence, int id, long value, long said) throws Exception {
      Accumulation counted = new Accumulation(LAYOUT);
      counted.counts().add(LAYOUT.indexOf(value), 1);
      counted.sum().add(said);
      counted.widen(said, said);
      try (HistogramEncoder histograms = new HistogramEncoder()) {
        long now = System.currentTimeMillis();
        out.interval(
            sequence,
            id,
            IntervalHeader.of(counted, now - 1_000, now),
            histograms.encode(counted.counts(), HIGHEST, 1));
      }
      return send(out.take());
    }

    Peer send(byte[] bytes) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        socket.write(rest);
      }
      return this;
    }

    Frame next() throws Exception {
      while (!decoder.next(in)) {
        in.compact();
        assertThat(socket.read(in)).as("bytes read").isPositive();
        in.flip();
      }
      return decoder.frame();
    }

    /** Reasons of what is refused up to the answer to this number. */
    List<RejectReason> refusedBefore(long sequence) throws Exception {
      List<RejectReason> refused = new ArrayList<>();
      for (Frame frame = next();
          !(frame instanceof Frame.Ack ack && ack.sequence() >= sequence);
          frame = next()) {
        if (frame instanceof Frame.Reject reject) {
          refused.add(RejectReason.ofCode(reject.code()).orElseThrow());
        }
      }
      return refused;
    }

    RejectReason rejected() throws Exception {
      return RejectReason.ofCode(((Frame.Reject) next()).code()).orElseThrow();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void garbageAndStrangers_areRefusedAndOthersGoOn() throws Exception {
    try (Peer good = new Peer();
        Peer garbage = new Peer();
        Peer stranger = new Peer()) {
      garbage.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(garbage.rejected()).isEqualTo(RejectReason.BAD_HEADER);
      stranger.hello("wrong").series(1, HIGHEST).interval(1, 1, 7);
      assertThat(stranger.rejected()).isEqualTo(RejectReason.UNAUTHORIZED);

      good.hello("secret");
      assertThat(((Frame.Welcome) good.next()).lastSequence()).isZero();
      good.series(1, HIGHEST, "route", "/pay").series(2, HIGHEST, "long", "x".repeat(64));
      good.series(3, Long.MAX_VALUE >> 1).series(4, HIGHEST, "route", "/search");
      good.interval(1, 1, 5); // Counts.
      good.interval(2, 2, 5); // Labels are too long.
      good.interval(3, 9, 5); // Never declared.
      good.interval(4, 1, 5, 900); // Its minimum is in no bucket.
      good.interval(5, 4, 6); // Counts.
      assertThat(good.refusedBefore(5))
          .contains(
              RejectReason.CONFIGURATION_LIMIT,
              RejectReason.UNKNOWN_SERIES,
              RejectReason.COUNT_MISMATCH);
    }

    FleetTruth truth = FleetTruth.read(broker, prefix + ".intervals", PARTITIONS);
    assertThat(truth.records()).isEqualTo(2);
    Histogram sum = truth.named("checkout");
    assertThat(sum).isEqualTo(truth.of("checkout", new long[] {5, 6}));
    assertThat(gateway.metric("hdr_sidecar_rejected_total{reason=\"unauthorized\"}")).isOne();
    assertThat(gateway.metric("hdr_sidecar_rejected_total{reason=\"bad_header\"}")).isOne();
  }

  /**
   * Another gateway has room for it. So it must come again: refused here and taken there, it would
   * lie behind a later number of its sidecar.
   */
  @Test
  void idsBeyondWhatThisGatewayTakes_endTheConnectionOnceTheOthersAreAcknowledged()
      throws Exception {
    try (RunningGateway small =
            new RunningGateway(broker, prefix, PARTITIONS, "--ingest-max-series-per-connection=2");
        Peer peer = new Peer(small)) {
      peer.hello("").next();
      peer.series(1, HIGHEST, "route", "/a").series(2, HIGHEST, "route", "/b");
      peer.interval(1, 1, 5).interval(2, 2, 6);
      peer.series(3, HIGHEST, "route", "/c").interval(3, 3, 7);

      long acknowledged = 0;
      Frame frame = peer.next();
      for (; frame instanceof Frame.Ack ack; frame = peer.next()) {
        acknowledged = ack.sequence();
      }
      assertThat(acknowledged).isEqualTo(2);
      Frame.Reject end = (Frame.Reject) frame;
      assertThat(end.scope()).isEqualTo(Frame.Reject.Scope.CONNECTION);
      assertThat(RejectReason.ofCode(end.code())).contains(RejectReason.SERIES_LIMIT);
      assertThat(end.message()).contains("connect again");
    }
    try (Peer peer = new Peer()) {
      peer.hello("secret").next();
      peer.series(1, HIGHEST, "route", "/c").interval(3, 1, 7);
      assertThat(peer.refusedBefore(3)).isEmpty();
    }
    assertThat(FleetTruth.read(broker, prefix + ".intervals", PARTITIONS).named("checkout"))
        .extracting(Histogram::getTotalCount)
        .isEqualTo(3L);
  }

  /** What is kept of the place differs between gateways, so it must not lead to a refusal. */
  @Test
  void labelsOfThePlace_countForNoLimit() throws Exception {
    try (RunningGateway other =
            new RunningGateway(
                broker,
                prefix,
                PARTITIONS,
                "--series-max-label-length=300",
                "--ingest-resource-labels=zone");
        Peer peer = new Peer(other)) {
      peer.out.hello(
          new Frame.Hello(
              FrameEncoder.VERSION,
              InstanceId.random(),
              Labels.empty(),
              "",
              Labels.of("zone", "z".repeat(1000))));
      peer.send(peer.out.take()).next();
      String[] most = new String[2 * Labels.MAX_LABELS];
      for (int i = 0; i < most.length; i += 2) {
        most[i] = "label_" + i;
        most[i + 1] = "x";
      }
      peer.series(1, HIGHEST, "route", "y".repeat(295)).interval(1, 1, 5);
      peer.series(2, HIGHEST, most).interval(2, 2, 6);
      assertThat(peer.refusedBefore(2)).isEmpty();
    }
    assertThat(FleetTruth.read(broker, prefix + ".intervals", PARTITIONS).counts().keySet())
        .extracting(series -> series.key().labels().get("zone").length())
        .containsExactlyInAnyOrder(1000, 0); // There may be no more than 32.
  }

  /** A value and its series are on both topics, under one key and in one partition. */
  @Test
  void series_isDescribedOnce() throws Exception {
    try (Peer one = new Peer();
        Peer other = new Peer()) {
      for (Peer peer : List.of(one, other)) {
        peer.hello("secret").next();
        peer.series(1, HIGHEST, "route", "/pay").interval(1, 1, 5);
        assertThat(peer.refusedBefore(1)).isEmpty();
      }
      assertThat(gateway.metric("hdr_sidecar_gateway_series")).isOne();
    }

    assertThat(FleetTruth.read(broker, prefix + ".intervals", PARTITIONS).records()).isEqualTo(2);
    assertThat(gateway.metric("hdr_sidecar_gateway_descriptions_total")).isOne();
    RunningGateway.eventually(() -> gateway.metric("hdr_sidecar_gateway_series") == 0);
  }
}
