package io.hdrsidecar.fleet.gateway;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * What an interval costs a gateway and its broker, by the processor time of threads. Some thousand
 * only show that all are acknowledged; {@code -Dhdr.fleet.gateway.intervals=50000} of each of four
 * connections measure.
 */
class GatewayThroughputIT {
  private static final int PARTITIONS = 8;
  private static final int CONNECTIONS = 4;
  private static final int SERIES = 100;
  private static final int INTERVALS = Integer.getInteger("hdr.fleet.gateway.intervals", 1_000);
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  /** With payloads of about 256 and 860 bytes, deflated; once more at first, to warm up. */
  @Test
  void intervals_ofSeveralConnections_areAllAcknowledged() throws Exception {
    for (int values : new int[] {160, 160, 700}) {
      try (KafkaBroker broker = new KafkaBroker()) {
        broker.createTopics("hdr", PARTITIONS);
        try (RunningGateway gateway = new RunningGateway(broker, "hdr", PARTITIONS)) {
          run(gateway, values);
        }
      }
    }
  }

  private static void run(RunningGateway gateway, int values) throws Exception {
    List<byte[]> loads = new ArrayList<>();
    int payload = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
      FrameEncoder out = new FrameEncoder();
      payload = encode(out, values, i);
      loads.add(out.take().clone());
    }
    Map<String, Long> before = cpuNanos();
    long start = System.nanoTime();
    AtomicLong acknowledged = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (byte[] load : loads) {
      Thread thread = new Thread(() -> acknowledged.addAndGet(send(gateway.port(), load)), "load");
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    int all = CONNECTIONS * INTERVALS;
    assertThat(acknowledged).hasValue(all);
    System.out.printf("%d intervals, last payload %d bytes, %.0f/s%n", all, payload, all / seconds);
    cpuNanos()
        .forEach(
            (group, nanos) ->
                System.out.printf(
                    "  %s: %.2f us each%n",
                    group, (nanos - before.getOrDefault(group, 0L)) / 1e3 / all));
  }

  private static int encode(FrameEncoder out, int values, int seed) throws Exception {
    Random random = new Random(seed);
    out.hello(new Frame.Hello(FrameEncoder.VERSION, InstanceId.random(), Labels.empty(), ""));
    for (int id = 0; id < SERIES; id++) {
      Labels labels =
          Labels.of("route", "/api/v1/" + id, "namespace", "prod", "deployment", "shop");
      out.series(
          id,
          new SeriesDefinition(
              new SeriesKey("http_server_requests", labels),
              Unit.NANOSECONDS,
              "",
              LAYOUT,
              HIGHEST));
    }
    int payload = 0;
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      for (int i = 0; i < INTERVALS; i++) {
        Accumulation counted = new Accumulation(LAYOUT);
        for (int v = 0; v < values; v++) {
          long value = (long) (1e6 * Math.exp(random.nextGaussian() * (values > 200 ? 1 : 0.3)));
          counted.counts().add(LAYOUT.indexOf(value), 1);
          counted.sum().add(value);
          counted.widen(value, value);
        }
        ByteBuffer encoded = histograms.encode(counted.counts(), HIGHEST, 1);
        payload = encoded.remaining();
        long now = System.currentTimeMillis();
        out.interval(i + 1, i % SERIES, IntervalHeader.of(counted, now - 10_000, now), encoded);
      }
    }
    return payload;
  }

  /** Returns the last number that is acknowledged. */
  private static long send(int port, byte[] load) {
    try (SocketChannel socket =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      Thread writing =
          new Thread(
              () -> {
                try {
                  ByteBuffer rest = ByteBuffer.wrap(load);
                  while (rest.hasRemaining()) {
                    socket.write(rest);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              "load");
      writing.start();
      FrameDecoder decoder = new FrameDecoder(1 << 20);
      ByteBuffer in = ByteBuffer.allocate(1 << 20).limit(0);
      long acknowledged = 0;
      while (acknowledged < INTERVALS) {
        while (!decoder.next(in)) {
          in.compact();
          if (socket.read(in) < 0) {
            throw new IllegalStateException("closed after " + acknowledged);
          }
          in.flip();
        }
        if (decoder.frame() instanceof Frame.Ack ack) {
          acknowledged = ack.sequence();
        }
      }
      writing.join();
      return acknowledged;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Long> cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<String, Long> byGroup = new TreeMap<>();
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null) {
        byGroup.merge(group(info.getThreadName()), threads.getThreadCpuTime(id), Long::sum);
      }
    }
    return byGroup;
  }

  private static String group(String thread) {
    if (thread.startsWith("vert.x-eventloop")) {
      return "gateway, receiving";
    }
    if (thread.startsWith("hdr-gateway-send") || thread.startsWith("kafka-producer")) {
      return "gateway, producing";
    }
    if (thread.equals("load") || thread.equals("switched-way") || thread.equals("main")) {
      return "test";
    }
    return "broker";
  }
}
