package io.hdrsidecar.sidecar.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON as protobuf; protobuf's own library reads it back. */
final class JsonRequestTest {
  private static ExportMetricsServiceRequest read(String json) throws Exception {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    WireReader reader = JsonRequest.read(bytes, bytes.length, HeapClaim.unbounded());
    return ExportMetricsServiceRequest.parseFrom(
        Arrays.copyOfRange(reader.array(), reader.from(), reader.end()));
  }

  private static String metric(String data) {
    return "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[" + data + "]}]}]}";
  }

  /** After the example of opentelemetry-proto, {@code examples/metrics.json}. */
  @Test
  void read_anExponentialHistogram_isWhatProtobufHas() throws Exception {
    ExportMetricsServiceRequest request =
        read(
            """
            {"resourceMetrics": [{
              "scopeMetrics": [{
                "metrics": [{
                  "exponentialHistogram": {
                    "dataPoints": [{
                      "startTimeUnixNano": "1544712660300000000",
                      "timeUnixNano": "1544712660300000001",
                      "count": "3", "sum": 10, "scale": -1, "zeroCount": "1",
                      "positive": {"offset": -2, "bucketCounts": ["0", "2"]},
                      "min": 0, "max": 5.5, "zeroThreshold": 1e-9, "flags": 1,
                      "attributes": [
                        {"key": "n", "value": {"intValue": "-3"}},
                        {"key": "b", "value": {"boolValue": true}},
                        {"key": "l", "value": {"arrayValue": {"values": [{"doubleValue": 0.5}]}}}
                      ],
                      "exemplars": [{
                        "traceId": "5B8EFFF798038103D269B633813FC60C",
                        "spanId": "eee19b7ec3c1b174", "asDouble": 5.5
                      }],
                      "laterVersion": {"deep": [[{}], 1, null]}
                    }],
                    "aggregationTemporality": 2
                  },
                  "name": "my.exponential", "unit": "s", "description": null
                }],
                "scope": {"name": "my.library", "version": "1.0.0"}
              }],
              "resource": {"attributes": [
                {"key": "service.name", "value": {"stringValue": "my.service"}}]}
            }]}
            """);

    var resource = request.getResourceMetrics(0);
    assertThat(resource.getResource().getAttributes(0).getValue().getStringValue())
        .isEqualTo("my.service");
    assertThat(resource.getScopeMetrics(0).getScope().getVersion()).isEqualTo("1.0.0");
    Metric metric = resource.getScopeMetrics(0).getMetrics(0);
    assertThat(metric.getName()).isEqualTo("my.exponential");
    assertThat(metric.getExponentialHistogram().getAggregationTemporalityValue()).isEqualTo(2);
    ExponentialHistogramDataPoint point = metric.getExponentialHistogram().getDataPoints(0);
    assertThat(point.getAttributes(0).getValue().getIntValue()).isEqualTo(-3);
    assertThat(point.getAttributes(1).getValue().getBoolValue()).isTrue();
    assertThat(point.getAttributes(2).getValue().getArrayValue().getValues(0))
        .isEqualTo(AnyValue.newBuilder().setDoubleValue(0.5).build());
    assertThat(point.getExemplars(0).getTraceId())
        .isEqualTo(ByteString.fromHex("5b8efff798038103d269b633813fc60c"));
    assertThat(point.getExemplars(0).getAsDouble()).isEqualTo(5.5);
    assertThat(point.toBuilder().clearAttributes().clearExemplars().build())
        .isEqualTo(
            ExponentialHistogramDataPoint.newBuilder()
                .setStartTimeUnixNano(1544712660300000000L)
                .setTimeUnixNano(1544712660300000001L)
                .setCount(3)
                .setSum(10)
                .setScale(-1)
                .setZeroCount(1)
                .setPositive(
                    ExponentialHistogramDataPoint.Buckets.newBuilder()
                        .setOffset(-2)
                        .addBucketCounts(0)
                        .addBucketCounts(2))
                .setMin(0)
                .setMax(5.5)
                .setZeroThreshold(1e-9)
                .setFlags(1)
                .build());
  }

  /** JavaScript's SDK writes counts as numbers. */
  @Test
  void read_numbersInEitherForm_areTheSame() throws Exception {
    ExportMetricsServiceRequest request =
        read(
            metric(
                """
                {"name": "h", "histogram": {
                  "aggregationTemporality": "AGGREGATION_TEMPORALITY_DELTA", "dataPoints": [{
                    "count": 3, "sum": "Infinity", "bucketCounts": [1, "2", 0.0, 1e3],
                    "explicitBounds": [5, "1e1", 12.5]}]}}
                """));

    var histogram = request.getResourceMetrics(0).getScopeMetrics(0).getMetrics(0).getHistogram();
    assertThat(histogram.getAggregationTemporalityValue()).isEqualTo(1);
    assertThat(histogram.getDataPoints(0))
        .isEqualTo(
            HistogramDataPoint.newBuilder()
                .setCount(3)
                .setSum(Double.POSITIVE_INFINITY)
                .addBucketCounts(1)
                .addBucketCounts(2)
                .addBucketCounts(0)
                .addBucketCounts(1000)
                .addExplicitBounds(5)
                .addExplicitBounds(10)
                .addExplicitBounds(12.5)
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{} {}",
        "{\"resourceMetrics\": {}}",
        "{\"resourceMetrics\": [1]}",
        "{\"resourceMetrics\": [{\"scopeMetrics\": [{\"metrics\": [{\"name\": 5}]}]}]}"
      })
  void read_whatIsNoRequest_isRefused(String json) {
    assertThatExceptionOfType(MalformedOtlpException.class).isThrownBy(() -> read(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"count\": \"x\"",
        "\"count\": 1.5",
        "\"count\": 1e9999999",
        "\"count\": true",
        "\"sum\": \"ten\"",
        "\"bucketCounts\": 5",
        "\"exemplars\": [{\"traceId\": \"xyz\"}]",
        "\"flags\": {}"
      })
  void read_aValueOfAnotherKind_namesTheField(String field) {
    String json = metric("{\"histogram\": {\"dataPoints\": [{" + field + "}]}}");

    assertThatExceptionOfType(MalformedOtlpException.class)
        .isThrownBy(() -> read(json))
        .withMessageContaining(
            field.contains("traceId") ? "traceId" : field.substring(1, field.indexOf('"', 1)));
  }

  /** Java takes a time that grows with the square of its length to make a number of a text. */
  @ParameterizedTest
  @ValueSource(strings = {"count", "sum"})
  void read_aTextOfVeryManyDigits_isRefusedByItsLength(String field) {
    String digits = "1".repeat(100_000);
    String json =
        metric("{\"histogram\": {\"dataPoints\": [{\"%s\": \"%s\"}]}}".formatted(field, digits));

    assertThatExceptionOfType(MalformedOtlpException.class)
        .isThrownBy(() -> read(json))
        .withMessage("JSON: " + field + " must be a number of at most 400 characters");
  }

  @Test
  void read_aDeepNest_isRefused() {
    assertThatExceptionOfType(MalformedOtlpException.class)
        .isThrownBy(() -> read("{\"x\":" + "[".repeat(100_000)))
        .withMessageContaining("nesting depth");
  }
}
