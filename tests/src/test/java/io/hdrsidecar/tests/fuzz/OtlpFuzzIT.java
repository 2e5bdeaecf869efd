package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Damaged requests of OTLP, in both forms, and damaged connections of gRPC: each is taken or
 * refused, and the next good one is taken.
 */
final class OtlpFuzzIT {
  private static final String JSON =
      """
      {"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":
        {"stringValue":"cart"}}]},"scopeMetrics":[{"scope":{"name":"lib"},"metrics":[
        {"name":"a.b","unit":"s","exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[
          {"startTimeUnixNano":"1700000000000000000","timeUnixNano":"1700000001000000000",
           "count":"5","sum":10.5,"scale":3,"zeroCount":"1","min":0,"max":4,
           "positive":{"offset":-2,"bucketCounts":["1","0","3"]},
           "attributes":[{"key":"l","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}]}]}},
        {"name":"c","histogram":{"aggregationTemporality":1,"dataPoints":[{"count":"3",
          "timeUnixNano":"1700000001000000000","bucketCounts":["1","2"],"explicitBounds":[0.5],
          "exemplars":[{"asDouble":0.4,"traceId":"5b8efff798038103d269b633813fc60c",
            "spanId":"eee19b7ec3c1b174"}]}]}},
        {"name":"g","gauge":{"dataPoints":[{"asInt":"1"}]}}]}]}]}
      """;

  private static final byte[] PROTOBUF = protobuf();
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADERS = 1;
  private static final int END = 1;
  private static final int MOST_MILLIS = 20_000;

  private static final List<String> WORDS =
      List.of("{", "}", "[", "]", "\"", ":", ",", "null", "1e999", "-1", "\"count\":", "\\ud800");

  private final Mutator json =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toList());
  private final Mutator wire = new Mutator();
  private final HttpClient http = HttpClient.newHttpClient();
  private final LogCapture log = new LogCapture();
  private final int port = freePort();
  private final Sidecar sidecar = start();

  private static byte[] protobuf() {
    ExponentialHistogramDataPoint.Builder point =
        ExponentialHistogramDataPoint.newBuilder()
            .setStartTimeUnixNano(1_700_000_000_000_000_000L)
            .setTimeUnixNano(1_700_000_001_000_000_000L)
            .setCount(7)
            .setSum(10.5)
            .setScale(3)
            .setZeroCount(1);
    point.getPositiveBuilder().setOffset(-2).addBucketCounts(4).addBucketCounts(2);
    point
        .addAttributesBuilder()
        .setKey("route")
        .setValue(AnyValue.newBuilder().setStringValue("/pay"));
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    Metric.Builder metric =
        request.addResourceMetricsBuilder().addScopeMetricsBuilder().addMetricsBuilder();
    metric
        .setName("a.b")
        .setUnit("s")
        .getExponentialHistogramBuilder()
        .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
        .addDataPoints(point);
    return request.build().toByteArray();
  }

  /**
   * Two calls in frames of HTTP/2: one with this message and its prefix, and one that is reset,
   * with headers from the table.
   */
  private static List<Frame> calls(byte[] message) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    literal(block, 0x04, "", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export");
    literal(block, 0x40, "content-type", "application/grpc");
    literal(block, 0x40, "x-own", "value");
    int half = message.length / 2;
    return List.of(
        new Frame(4, 0, 0, new byte[] {0, 3, 0, 0, 0, 10, 0, 4, 0, 1, 0, 0}), // settings
        new Frame(HEADERS, 4, 1, block.toByteArray()), // whole
        new Frame(0, 0, 1, Arrays.copyOf(message, half)), // data
        new Frame(8, 0, 0, new byte[] {0, 0, 1, 0}), // a larger window
        new Frame(0, END, 1, Arrays.copyOfRange(message, half, message.length)),
        new Frame(HEADERS, 0, 3, new byte[] {(byte) 0x83, (byte) 0x86}), // to be continued
        new Frame(9, 4, 3, new byte[] {(byte) 0xbe, (byte) 0xbf}), // continued, from the table
        new Frame(6, 0, 0, new byte[8]), // ping
        new Frame(3, 0, 3, new byte[] {0, 0, 0, 8})); // reset
  }

  /** With the prefix of gRPC. */
  private static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** A header by RFC 7541: its name by a number in the first byte, or else as it is. */
  private static void literal(ByteArrayOutputStream block, int first, String name, String value) {
    block.write(first);
    for (String text : name.isEmpty() ? List.of(value) : List.of(name, value)) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Frame(int type, int flags, int stream, byte[] payload) {}

  private static byte[] written(List<Frame> frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Frame frame : frames) {
      ByteBuffer head = ByteBuffer.allocate(9);
      head.putInt(frame.payload.length << 8 | frame.type).put((byte) frame.flags);
      all.writeBytes(head.putInt(frame.stream).array());
      all.writeBytes(frame.payload);
    }
    return all.toByteArray();
  }

  private static int freePort() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Sidecar start() {
    try {
      return Sidecar.start(SmallSidecar.config("--otlp-address", "127.0.0.1:" + port));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() {
    sidecar.close();
    log.close();
  }

  @Test
  void post_damagedRequests_takesOrRefusesEach_andGoesOn() throws Exception {
    Fuzz.run("otlp", this::feedHttp);
  }

  private void feedHttp(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    boolean isJson = random.nextBoolean();
    byte[] good = isJson ? JSON.getBytes(StandardCharsets.UTF_8) : PROTOBUF;
    int status = post(isJson, (isJson ? json : wire).damaged(good, random));
    assertThat(status).isIn(200, 400);
    assertThat(post(true, JSON.getBytes(StandardCharsets.UTF_8))).isEqualTo(200);
    assertThat(log.errors()).isEmpty();
    tally.add(status == 200);
  }

  @Test
  void call_damagedMessagesOrFrames_takesOrRefusesEach_andGoesOn() throws Exception {
    Fuzz.run("otlp-grpc", this::feedGrpc);
  }

  private void feedGrpc(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    tally.add(
        random.nextBoolean()
            ? call(calls(damagedMessage(random)))
            : isTakenOrCutOff(damagedFrames(random)));
    assertThat(call(calls(framed(PROTOBUF)))).isTrue();
    assertThat(log.errors()).isEmpty();
  }

  private byte[] damagedMessage(SplittableRandom random) {
    return random.nextBoolean()
        ? framed(wire.damaged(PROTOBUF, random))
        : wire.damaged(framed(PROTOBUF), random);
  }

  /** What is in one of them, with its length as it is then; or any bytes of all of them. */
  private byte[] damagedFrames(SplittableRandom random) {
    List<Frame> frames = new ArrayList<>(calls(framed(PROTOBUF)));
    if (random.nextBoolean()) {
      return wire.damaged(written(frames), random);
    }
    int chosen = random.nextInt(frames.size());
    Frame good = frames.get(chosen);
    byte[] payload = wire.damaged(good.payload, random);
    frames.set(chosen, new Frame(good.type, good.flags, good.stream, payload));
    return written(frames);
  }

  /** Whether the first call was taken, which must be answered. */
  private boolean call(List<Frame> frames) throws IOException {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(written(frames));
      return isTaken(socket);
    }
  }

  /** All frames, then the end of what is sent; the server ends the connection in any case. */
  private boolean isTakenOrCutOff(byte[] frames) throws IOException {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(frames);
      socket.shutdownOutput();
      return isTaken(socket);
    } catch (SocketException | EOFException cutOff) {
      return false;
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(MOST_MILLIS);
    socket.getOutputStream().write(PREFACE);
    return socket;
  }

  /** Reads up to the last frame of the answer to the first call. */
  private static boolean isTaken(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      int head = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(head >>> 8);
      if ((head & 0xff) == HEADERS && (flags & END) != 0 && stream == 1) {
        return new String(payload, StandardCharsets.ISO_8859_1)
            .contains("grpc-status" + (char) 1 + "0");
      }
    }
  }

  private int post(boolean isJson, byte[] body) throws Exception {
    URI uri = URI.create(String.format(Locale.ROOT, "http://127.0.0.1:%d/v1/metrics", port));
    HttpResponse<Void> answer =
        http.send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", isJson ? "application/json" : "application/x-protobuf")
                .POST(BodyPublishers.ofByteArray(body))
                .build(),
            BodyHandlers.discarding());
    return answer.statusCode();
  }
}
