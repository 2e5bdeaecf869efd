package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.export.Receiver.Answer;
import io.hdrsidecar.sidecar.export.Receiver.Came;
import io.hdrsidecar.sidecar.export.RemoteWritten.Histogram;
import io.hdrsidecar.sidecar.export.RemoteWritten.Written;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a receiver of remote write is sent, over real sockets, whatever it answers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class RemoteWriteTest {
  private static final Map<String, String> RESOURCE =
      Map.of(
          "service.name", "shop",
          "service.namespace", "web",
          "service.instance.id", "pod-1",
          "k8s.pod.name", "shop-1",
          "k8s/pod/name", "again",
          "1st", "",
          "2nd", "b");

  private final SeriesStore store = RunningExport.store();
  private final Receiver receiver = Receiver.ofRemoteWrite(0);
  private RunningExport export = RunningExport.of(receiver.address(), store, Map.of());

  private void start() {
    export = RunningExport.started(receiver.address(), store, Map.of());
  }

  @AfterEach
  void stop() {
    export.close();
    receiver.close();
    assertThat(export.heldBytes()).as("held after the end").isZero();
  }

  private static List<Histogram> histograms(List<Came> all, String name) {
    return all.stream()
        .filter(Came::isTaken)
        .flatMap(came -> came.written().series().stream())
        .filter(series -> series.name().equals(name))
        .map(Written::histogram)
        .toList();
  }

  @Test
  void request_tellsNamesLabelsTargetAndWhatWasCounted() throws Exception {
    Recorded.merge(store, "checkout", 0, 1_000_000, 2_000_000, 4_000_000_000L);
    Recorded.merge(store, new SeriesKey("body_bytes", Labels.empty()), Unit.BYTES, 512, 1024);
    Recorded.merge(store, new SeriesKey("queue", Labels.of("Z", "ä", "a", "")), Unit.NONE, 7);
    export = RunningExport.startedFor(receiver.address(), store, RESOURCE);

    Came first = receiver.await(1).get(0);

    assertThat(first.headers())
        .containsEntry("Content-encoding", List.of("snappy"))
        .containsEntry(
            "Content-type", List.of("application/x-protobuf;proto=io.prometheus.write.v2.Request"))
        .containsEntry("X-prometheus-remote-write-version", List.of("2.0.0"))
        .containsEntry("User-agent", List.of("hdr-sidecar/1.2.3"));
    RemoteWritten request = first.written();
    assertThat(request.symbols()).startsWith("").doesNotHaveDuplicates();
    assertThat(request.series()).allMatch(s -> List.copyOf(s.labels().keySet()).equals(sorted(s)));
    assertThat(request.series())
        .extracting(s -> s.name() + " " + s.type() + " " + s.unit() + " " + s.help())
        .containsExactly(
            "target_info METRIC_TYPE_GAUGE  Target metadata",
            "body_bytes METRIC_TYPE_HISTOGRAM bytes Time to pay.",
            "checkout_seconds METRIC_TYPE_HISTOGRAM seconds Time to pay.",
            "queue METRIC_TYPE_HISTOGRAM  Time to pay.");
    assertThat(request.series().get(0).labels())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "__name__", "target_info",
                "job", "web/shop",
                "instance", "pod-1",
                "k8s_pod_name", "shop-1;again",
                "key_2nd", "b"));
    Written checkout = request.series().get(2);
    assertThat(checkout.labels())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "__name__", "checkout_seconds",
                "job", "web/shop",
                "instance", "pod-1",
                "route", "/pay"));
    assertThat(request.series().get(0).samples())
        .isEqualTo(Map.of(checkout.histogram().millis(), 1.0));
    assertThat(checkout.histogram().count()).isEqualTo(4);
    assertThat(checkout.histogram().zeroCount()).isEqualTo(1);
    assertThat(checkout.histogram().zeroThreshold()).isEqualTo(Math.pow(2, -128));
    assertThat(checkout.histogram().sum()).isCloseTo(4.003, within(1e-12));
    assertThat(checkout.histogram().counts().values().stream().mapToLong(c -> c).sum())
        .isEqualTo(3);
    assertThat(checkout.histogram().spans()).isEqualTo(3); // Over 7 empty buckets, and many.
    assertThat(checkout.histogram().startMillis()).isLessThan(checkout.histogram().millis());
    assertThat(request.series().get(3).labels()).containsEntry("Z", "ä").doesNotContainKey("a");
  }

  private static List<String> sorted(Written series) {
    return series.labels().keySet().stream().sorted().toList();
  }

  /** A series that Prometheus has without anything more about its target has no target_info. */
  @Test
  void resourceOfJobAndInstance_isNoSeries() throws Exception {
    Recorded.merge(store, "checkout", 1);
    start();

    assertThat(receiver.await(1).get(0).written().series())
        .extracting(Written::name)
        .containsExactly("checkout_seconds");
  }

  /** Each edge by its formula, but for values less than 0.1 % below it. */
  @ParameterizedTest(name = "at most {0} buckets")
  @ValueSource(ints = {10, 160, 1000})
  void counts_upToEachEdge_areThoseOfTheValues(int maxBuckets) throws Exception {
    SplittableRandom random = new SplittableRandom(maxBuckets);
    long[] values = new long[3_000];
    Arrays.setAll(
        values,
        i ->
            i % 100 == 0 ? 0 : (long) ((i % 2 == 0 ? 4e3 : 4e8) * Math.exp(random.nextGaussian())));
    Recorded.merge(store, "checkout", values);
    export =
        RunningExport.started(
            receiver.address(), store, Map.of("export.max-buckets", "" + maxBuckets));

    Histogram histogram = histograms(receiver.await(1), "checkout_seconds").get(0);

    Arrays.sort(values);
    long reached = histogram.zeroCount();
    assertThat(reached).isEqualTo(upTo(values, 0));
    for (Map.Entry<Integer, Long> bucket : histogram.counts().entrySet()) {
      reached += bucket.getValue();
      double edge = 1e9 * Math.pow(2, bucket.getKey() * Math.pow(2, -histogram.schema()));
      assertThat(reached).isBetween(upTo(values, edge * 0.999), upTo(values, edge));
    }
    assertThat(reached).isEqualTo(values.length).isEqualTo(histogram.count());
    assertThat(histogram.counts().size()).isLessThanOrEqualTo(maxBuckets);
    assertThat(histogram.sum()).isCloseTo(Arrays.stream(values).sum() / 1e9, within(1e-9));
  }

  private static long upTo(long[] sorted, double edge) {
    return Arrays.stream(sorted).filter(value -> value <= edge).count();
  }

  /** Whatever it answers, the next request has all, later times and the same start. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "400, refused",
    "401, refused",
    "404, refused",
    "415, refused",
    "200, refused", // Without the header.
    "429, throttled",
    "503, throttled",
    "500, failed",
    "502, failed_between",
    "504, failed_between",
    "-1, unanswered",
  })
  void requestThatIsNotTaken_isInTheNext(int status, String result) throws Exception {
    Answer answer = new Answer(status, Map.of(), new byte[0], false);
    receiver.then(answer, answer);
    Recorded.merge(store, "checkout", 1, 2, 3);
    start();
    receiver.await(1);
    Recorded.merge(store, "checkout", 4);
    receiver.await(3);
    export.drain();

    List<Written> all =
        receiver.all().stream().flatMap(came -> came.written().series().stream()).toList();
    assertThat(all).extracting(s -> s.histogram().count()).startsWith(3L).endsWith(4L).isSorted();
    assertThat(all).extracting(s -> s.histogram().millis()).isSorted().doesNotHaveDuplicates();
    assertThat(all)
        .extracting(s -> s.histogram().startMillis())
        .containsOnly(all.get(0).histogram().startMillis());
    assertThat(export.value("export.requests", result)).isEqualTo(2);
    assertThat(export.value("export.values", "")).isEqualTo(4);
    assertThat(export.value("export.resent.requests", "")).isZero();
    assertThat(export.value("export.lost.values", "series_ended")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400})
  void histogramsThatAreNotWritten_areCounted(int status) throws Exception {
    receiver.then(RemoteWritten.answer(status, 1));
    Recorded.merge(store, "checkout", 1, 2, 3);
    Recorded.merge(store, "cart", 1);
    start();
    receiver.await(2);
    export.drain();

    assertThat(export.value("export.rejected.points", "")).isEqualTo(1);
    assertThat(export.value("export.requests", "partly_delivered")).isEqualTo(1);
    assertThat(histograms(receiver.all(), "checkout_seconds"))
        .extracting(Histogram::count)
        .containsOnly(3L);
  }

  @Test
  void deadReceiver_thatComesLater_getsAll() throws Exception {
    int port = receiver.port();
    URI address = receiver.address();
    receiver.close();
    export = RunningExport.of(address, store, Map.of());
    Recorded.merge(store, "checkout", 1, 2, 3);
    export.start();
    export.await("export.requests", "unreachable");
    Recorded.merge(store, "checkout", 4);

    try (Receiver later = Receiver.ofRemoteWrite(port)) {
      later.await(1);
      export.drain();
      List<Histogram> all = histograms(later.all(), "checkout_seconds");
      assertThat(all.get(all.size() - 1).count()).isEqualTo(4);
    }
  }

  /** Over 64 KiB, and after 413 in smaller requests: each series is there, and whole. */
  @Test
  void manySeries_areReadWhole_alsoInSmallerRequests() throws Exception {
    int count = 600;
    for (int i = 0; i < count; i++) {
      Recorded.merge(store, "series" + i, i, 1_000_000L * i);
    }
    receiver.then(Answer.of(413), Answer.of(413));
    start();

    List<Came> all = receiver.await(2 + 6); // A quarter each, and what is over.
    export.close();

    assertThat(all.get(0).written().series()).hasSize(count);
    assertThat(all.get(2).written().series()).hasSizeBetween(1, count / 3);
    Map<String, Double> sums = new HashMap<>();
    for (Came came : all.subList(2, all.size())) {
      came.written().series().forEach(s -> sums.put(s.name(), s.histogram().sum()));
    }
    assertThat(sums).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(sums.get("series" + i + "_seconds")).isCloseTo(i * 1_000_001e-9, within(1e-9));
    }
    assertThat(export.value("export.requests", "too_large")).isEqualTo(2);
  }

  private void recordTraced(long value, long millis) throws Exception {
    Recorded.merge(
        store, "checkout", new Exemplar(value, millis, "trace" + millis, value > 5 ? "span" : ""));
  }

  /** Receivers refuse exemplars that are not later than those before, and may tell by 400. */
  @Test
  void exemplars_comeOnce_inOrder_alsoAfterARequestThatFailed() throws Exception {
    receiver.then(Answer.of(503));
    recordTraced(1_000, 2_000);
    recordTraced(1, 1_000);
    start();
    receiver.await(3); // The second has them, the third not again.
    recordTraced(1_000_000, 1_500); // Late: it is not sent.
    recordTraced(30_000, 3_000);
    receiver.await(
        came ->
            came.stream()
                .flatMap(c -> c.written().series().stream())
                .flatMap(s -> s.exemplars().stream())
                .anyMatch(e -> e.millis() == 3_000));
    export.drain();

    assertThat(
            receiver.all().stream()
                .flatMap(came -> came.written().series().stream())
                .flatMap(series -> series.exemplars().stream()))
        .containsExactly(
            new RemoteWritten.Exemplar(Map.of("trace_id", "trace1000"), 1e-9, 1_000),
            new RemoteWritten.Exemplar(
                Map.of("trace_id", "trace2000", "span_id", "span"), 1e-6, 2_000),
            new RemoteWritten.Exemplar(Map.of("trace_id", "trace1000"), 1e-9, 1_000),
            new RemoteWritten.Exemplar(
                Map.of("trace_id", "trace2000", "span_id", "span"), 1e-6, 2_000),
            new RemoteWritten.Exemplar(
                Map.of("trace_id", "trace3000", "span_id", "span"), 3e-5, 3_000));
  }
}
