package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.export.Receiver.Answer;
import io.hdrsidecar.sidecar.export.Receiver.Came;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.resource.v1.Resource;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver is sent, over real sockets, whatever it answers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SeriesExportTest {
  private static final Map<String, String> DELTA = Map.of("export.otlp.temporality", "delta");

  private final SeriesStore store = RunningExport.store();
  private final Receiver receiver = new Receiver();
  private RunningExport export = RunningExport.of(receiver.address(), store, Map.of());

  private void start(Map<String, String> more) {
    export = RunningExport.started(receiver.address(), store, more);
  }

  /** Begins with an empty store, as a sidecar without a journal does. */
  private void startDelta() {
    start(DELTA);
  }

  @AfterEach
  void stop() {
    export.close();
    receiver.close();
    assertThat(export.heldBytes()).as("held after the end").isZero();
  }

  private static Map<String, String> texts(List<KeyValue> attributes) {
    Map<String, String> texts = new HashMap<>();
    attributes.forEach(a -> texts.put(a.getKey(), a.getValue().getStringValue()));
    return texts;
  }

  private static long inBuckets(ExponentialHistogramDataPoint point) {
    return point.getZeroCount()
        + point.getPositive().getBucketCountsList().stream().mapToLong(c -> c).sum();
  }

  /** Of what was taken, each request once, however often it came. */
  private static long taken(List<Came> all, String metric) {
    return all.stream()
        .filter(Came::isTaken)
        .collect(
            HashMap<String, Came>::new,
            (map, came) -> map.put(Arrays.toString(came.body()), came),
            HashMap::putAll)
        .values()
        .stream()
        .flatMap(Came::metrics)
        .filter(m -> m.getName().equals(metric))
        .flatMap(m -> m.getExponentialHistogram().getDataPointsList().stream())
        .mapToLong(ExponentialHistogramDataPoint::getCount)
        .sum();
  }

  @Test
  void cumulative_tellsNameUnitLabelsResourceAndWhatWasCounted() throws Exception {
    Recorded.merge(store, "checkout", 0, 1_000_000, 2_000_000, 4_000_000_000L);
    Recorded.merge(store, new SeriesKey("body_bytes", Labels.empty()), Unit.BYTES, 512, 1024);
    Recorded.merge(store, new SeriesKey("queue", Labels.of("a", "ä")), Unit.NONE, 7);
    start(Map.of());

    Came first = receiver.await(1).get(0);

    Resource resource = first.parsed().getResourceMetrics(0).getResource();
    assertThat(texts(resource.getAttributesList())).isEqualTo(RunningExport.RESOURCE);
    assertThat(first.metrics().map(m -> m.getName() + " " + m.getUnit()))
        .containsExactly("body By", "checkout s", "queue ");
    assertThat(first.metrics())
        .allMatch(
            m ->
                m.getExponentialHistogram().getAggregationTemporality()
                    == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
    ExponentialHistogramDataPoint point = first.points().toList().get(1);
    assertThat(texts(point.getAttributesList())).isEqualTo(Map.of("route", "/pay"));
    assertThat(point.getCount()).isEqualTo(4).isEqualTo(inBuckets(point));
    assertThat(point.getZeroCount()).isEqualTo(1);
    assertThat(point.getSum()).isCloseTo(4.003, within(1e-12));
    assertThat(point.getMin()).isZero();
    assertThat(point.getMax()).isEqualTo(4);
    assertThat(point.getStartTimeUnixNano()).isLessThan(point.getTimeUnixNano());
    assertThat(texts(first.points().toList().get(2).getAttributesList())).containsValue("ä");
  }

  @Test
  void cumulative_eachPointHasAllSinceTheStart_alsoTheLast() throws Exception {
    Recorded.merge(store, "checkout", 1, 2, 3);
    start(Map.of());
    receiver.await(2);

    Recorded.merge(store, "checkout", 4, 5);
    export.drain();

    List<ExponentialHistogramDataPoint> points =
        receiver.all().stream().flatMap(Came::points).toList();
    assertThat(points.get(0).getCount()).isEqualTo(3);
    assertThat(points.get(points.size() - 1).getCount()).isEqualTo(5);
    assertThat(points)
        .extracting(p -> p.getStartTimeUnixNano())
        .containsOnly(points.get(0).getStartTimeUnixNano());
    assertThat(points).extracting(p -> p.getTimeUnixNano()).isSorted();
    assertThat(export.value("export.values", "")).isEqualTo(5);
  }

  @Test
  void delta_pointsAddUp_andFollowEachOther() throws Exception {
    startDelta();
    Recorded.merge(store, "checkout", 1_000, 2_000, 3_000);
    receiver.await(1);
    Recorded.merge(store, "checkout", 3_000, 5_000_000_000_000L);
    receiver.await(2);
    Recorded.merge(store, "checkout", 1);
    export.drain();

    List<ExponentialHistogramDataPoint> points =
        receiver.all().stream().flatMap(Came::points).toList();
    assertThat(points).extracting(p -> p.getCount()).containsExactly(3L, 2L, 1L);
    assertThat(points).allMatch(p -> inBuckets(p) == p.getCount());
    assertThat(points.stream().mapToDouble(p -> p.getSum()).sum())
        .isCloseTo(5000.000009001, within(1e-9));
    for (int i = 1; i < points.size(); i++) {
      assertThat(points.get(i).getStartTimeUnixNano())
          .isEqualTo(points.get(i - 1).getTimeUnixNano());
      assertThat(points.get(i).getScale()).isLessThanOrEqualTo(points.get(i - 1).getScale());
    }
    assertThat(points).noneMatch(p -> p.hasMin() || p.hasMax());
  }

  /** What a journal restored was pushed by the run before; a delta of it would count twice. */
  @Test
  void delta_ofARestoredStore_beginsWithWhatIsMergedNow() throws Exception {
    Recorded.merge(store, "checkout", 1_000, 2_000_000, 3_000);
    export = RunningExport.of(receiver.address(), store, DELTA);
    Recorded.merge(store, "checkout", 2_000_000, 7);
    export.start();
    receiver.await(1);
    export.drain();

    ExponentialHistogramDataPoint point = receiver.all().get(0).points().toList().get(0);
    assertThat(point.getCount()).isEqualTo(2).isEqualTo(inBuckets(point));
    assertThat(point.getSum()).isCloseTo(0.002000007, within(1e-12));
    assertThat(receiver.all().stream().flatMap(Came::points)).hasSize(1);
  }

  /** 400 is not sent again, and still nothing is lost: the next point has it. */
  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 429, 500, 503})
  void delta_thatIsRefused_isInTheNextPoint(int status) throws Exception {
    receiver.then(Answer.of(status));
    startDelta();
    Recorded.merge(store, "checkout", 1, 2, 3);
    receiver.await(1);
    Recorded.merge(store, "checkout", 4);
    receiver.await(2);
    export.drain();

    assertThat(taken(receiver.all(), "checkout")).isEqualTo(4);
    assertThat(export.value("export.values", "")).isEqualTo(4);
    assertThat(
            export.value(
                "export.requests", status == 429 || status == 503 ? "throttled" : "refused"))
        .isEqualTo(1);
  }

  /** The receiver has taken it, and nobody knows: the same bytes come again. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 502, 504})
  void delta_withoutAnAnswer_isSentAgainByteByByte(int status) throws Exception {
    Answer lost = status < 0 ? Receiver.NONE : new Answer(status, Map.of(), new byte[0], true);
    receiver.then(lost, Answer.of(503), lost);
    startDelta();
    Recorded.merge(store, "checkout", 1, 2, 3);
    receiver.await(1);
    Recorded.merge(store, "checkout", 4);
    List<Came> all = receiver.await(5);
    export.drain();

    assertThat(all.subList(1, 4)).allMatch(c -> Arrays.equals(c.body(), all.get(0).body()));
    assertThat(taken(receiver.all(), "checkout")).isEqualTo(4);
    assertThat(export.value("export.resent.requests", "")).isEqualTo(3);
    assertThat(export.value("export.requests", status < 0 ? "unanswered" : "failed_between"))
        .isEqualTo(2);
  }

  @Test
  void deadReceiver_thatComesLater_getsAll() throws Exception {
    int port = receiver.port();
    URI address = receiver.address();
    receiver.close();
    export = RunningExport.of(address, store, DELTA);
    Recorded.merge(store, "checkout", 1, 2, 3);
    export.start();
    export.await("export.requests", "unreachable");
    Recorded.merge(store, "checkout", 4);

    try (Receiver later = new Receiver(port)) {
      later.await(1);
      export.drain();
      assertThat(taken(later.all(), "checkout")).isEqualTo(4);
    }
    assertThat(export.value("export.lost.values", "series_ended")).isZero();
  }

  @Test
  void partialSuccess_isCounted_andNotSentAgain() throws Exception {
    byte[] partial =
        ExportMetricsServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportMetricsPartialSuccess.newBuilder()
                    .setRejectedDataPoints(1)
                    .setErrorMessage("too old"))
            .build()
            .toByteArray();
    receiver.then(new Answer(200, Map.of("Content-Type", "application/x-protobuf"), partial, true));
    export = RunningExport.of(receiver.address(), store, DELTA);
    Recorded.merge(store, "checkout", 1, 2, 3);
    Recorded.merge(store, "cart", 1);
    export.start();
    receiver.await(1);
    export.drain();

    assertThat(receiver.all()).hasSize(1);
    assertThat(export.value("export.rejected.points", "")).isEqualTo(1);
    assertThat(export.value("export.points", "")).isEqualTo(1);
    assertThat(export.value("export.requests", "partly_delivered")).isEqualTo(1);
  }

  @Test
  void requestsTooLarge_becomeSmaller_untilTheyAreTaken() throws Exception {
    for (int i = 0; i < 400; i++) {
      Recorded.merge(store, "series" + i, 1_000, 1_000_000);
    }
    receiver.then(Answer.of(413), Answer.of(413));
    start(Map.of("export.otlp.compression", "none"));

    List<Came> all =
        receiver.await(
            came ->
                came.stream().filter(Came::isTaken).flatMap(Came::metrics).distinct().count()
                    >= 400);

    assertThat(export.value("export.requests", "too_large")).isEqualTo(2);
    assertThat(all.get(0).body().length).isGreaterThan(all.get(2).body().length);
    assertThat(all.get(2).headers()).doesNotContainKey("Content-encoding");
  }

  /** After the end of a series nobody can tell the receiver any more. */
  @Test
  void seriesThatEndsUndelivered_isCountedAsLost() throws Exception {
    SeriesStore shortLived =
        new SeriesStore(
            new MergeConfig(
                10, 2, 100_000, WindowSpec.parseList("10s"), 2048, Duration.ofSeconds(1)));
    receiver.then(Collections.nCopies(1_000, Answer.of(503)).toArray(Answer[]::new));
    Recorded.merge(shortLived, "checkout", 1, 2, 3);
    export = RunningExport.started(receiver.address(), shortLived, Map.of());
    receiver.await(1);

    while (export.value("export.lost.values", "series_ended") == 0) {
      shortLived.expireIdle();
      TimeUnit.MILLISECONDS.sleep(100); // Time counts from call to call.
    }

    assertThat(export.value("export.lost.values", "series_ended")).isEqualTo(3);
    assertThat(export.value("export.values", "")).isZero();
  }

  /** It was not there when the attempts began, and is not when the receiver is back. */
  @ParameterizedTest
  @ValueSource(ints = {503, 504})
  void seriesThatBeginsAndEndsWhileTheReceiverIsAway_isCountedAsLost(int status) throws Exception {
    SeriesStore shortLived =
        new SeriesStore(
            new MergeConfig(
                10, 2, 100_000, WindowSpec.parseList("10s"), 2048, Duration.ofSeconds(1)));
    receiver.then(Collections.nCopies(1_000, Answer.of(status)).toArray(Answer[]::new));
    export = RunningExport.of(receiver.address(), shortLived, DELTA);
    Recorded.merge(shortLived, "checkout", 1, 2, 3);
    export.start();
    receiver.await(1);
    Recorded.merge(shortLived, "late", 4, 5);
    receiver.await(receiver.all().size() + 2);

    while (!shortLived.livingSeries().isEmpty()) {
      shortLived.expireIdle();
      TimeUnit.MILLISECONDS.sleep(100); // Time counts from call to call.
    }
    // What a request holds of which nobody knows whether it has arrived is lost only with the end.
    int lostBeforeTheEnd = status == 504 ? 2 : 5;
    while (export.value("export.lost.values", "series_ended") < lostBeforeTheEnd) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    export.close(); // A drain would ask the receiver for as long as it may.

    assertThat(export.value("export.lost.values", "series_ended")).isEqualTo(5);
  }

  @Test
  void tokenAndHeaders_areReadForEachRequest(@TempDir Path folder) throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "first\n");
    Path headers = Files.writeString(folder.resolve("headers"), "X-Scope-OrgID: one\n\n");
    Recorded.merge(store, "checkout", 1);
    start(
        Map.of(
            "export.token-file", token.toString(),
            "export.headers-file", headers.toString()));
    Came first = receiver.await(1).get(0);
    Files.writeString(token, "second\n");

    receiver.await(
        all ->
            all.stream()
                .map(came -> came.headers().get("Authorization"))
                .anyMatch(List.of("Bearer second")::equals));

    assertThat(first.headers()).containsEntry("Authorization", List.of("Bearer first"));
    assertThat(first.headers()).containsEntry("X-scope-orgid", List.of("one"));
    assertThat(first.headers()).containsEntry("Content-type", List.of("application/x-protobuf"));
    assertThat(first.headers()).containsEntry("User-agent", List.of("hdr-sidecar/1.2.3"));
  }
}
