package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
  private static final byte[] GRPC = grpc();
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

  /** Two calls in frames of HTTP/2, with settings, headers in both tables, padding, and a reset. */
  private static byte[] grpc() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x83); // :method POST
    block.write(0x86); // :scheme http
    literal(block, 0x04, "", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export");
    literal(block, 0x40, "content-type", "application/grpc");
    literal(block, 0x40, "x-own", "value");
    ByteBuffer message = ByteBuffer.allocate(5 + PROTOBUF.length);
    message.put((byte) 0).putInt(PROTOBUF.length).put(PROTOBUF);
    byte[] all = message.array();
    int half = all.length / 2;
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frame(frames, 4, 0, 0, new byte[] {0, 3, 0, 0, 0, 10, 0, 4, 0, 1, 0, 0}); // settings
    frame(frames, 1, 4, 1, block.toByteArray()); // headers, whole
    frame(frames, 0, 0, 1, Arrays.copyOf(all, half)); // data
    frame(frames, 8, 0, 0, new byte[] {0, 0, 1, 0}); // a larger window
    frame(frames, 0, 1, 1, Arrays.copyOfRange(all, half, all.length)); // data, the last
    frame(frames, 1, 0, 3, new byte[] {(byte) 0x83, (byte) 0x86}); // headers, to be continued
    frame(frames, 9, 4, 3, new byte[] {(byte) 0xbe, (byte) 0xbf}); // continued, from the table
    frame(frames, 6, 0, 0, new byte[8]); // ping
    frame(frames, 3, 0, 3, new byte[] {0, 0, 0, 8}); // reset
    return frames.toByteArray();
  }

  /** A header by RFC 7541: its name by a number in the first byte, or else as it is. */
  private static void literal(ByteArrayOutputStream block, int first, String name, String value) {
    block.write(first);
    for (String text : name.isEmpty() ? List.of(value) : List.of(name, value)) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void frame(
      ByteArrayOutputStream frames, int type, int flags, int stream, byte[] payload) {
    ByteBuffer head = ByteBuffer.allocate(9);
    head.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream);
    frames.writeBytes(head.array());
    frames.writeBytes(payload);
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
    Fuzz.run("otlp", this::feed);
  }

  private void feed(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    if (random.nextInt(4) == 0) {
      feedGrpc(random, tally);
    } else {
      feedHttp(random, tally);
    }
    assertThat(post(true, JSON.getBytes(StandardCharsets.UTF_8))).isEqualTo(200);
    assertThat(log.errors()).isEmpty();
  }

  /** All frames, then the end of what is sent; the server ends the connection in any case. */
  private void feedGrpc(SplittableRandom random, Fuzz.Tally tally) throws IOException {
    byte[] damaged = wire.damaged(GRPC, random);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(MOST_MILLIS);
      try {
        socket.getOutputStream().write(PREFACE);
        socket.getOutputStream().write(damaged);
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (SocketException closed) {
        // It was cut off before all was written, or read.
      }
    }
    tally.refused();
  }

  private void feedHttp(SplittableRandom random, Fuzz.Tally tally) throws Exception {
    boolean isJson = random.nextBoolean();
    byte[] good = isJson ? JSON.getBytes(StandardCharsets.UTF_8) : PROTOBUF;
    int status = post(isJson, (isJson ? json : wire).damaged(good, random));
    assertThat(status).isIn(200, 400);
    tally.add(status == 200);
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
