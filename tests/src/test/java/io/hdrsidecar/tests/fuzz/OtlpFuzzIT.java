package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Damaged requests of OTLP, in both forms: each is taken or refused, and the next good one is
 * taken.
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
    boolean isJson = random.nextBoolean();
    byte[] good = isJson ? JSON.getBytes(StandardCharsets.UTF_8) : PROTOBUF;
    int status = post(isJson, (isJson ? json : wire).damaged(good, random));
    assertThat(status).isIn(200, 400);
    assertThat(post(true, JSON.getBytes(StandardCharsets.UTF_8))).isEqualTo(200);
    assertThat(log.errors()).isEmpty();
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
