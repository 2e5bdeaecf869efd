package io.hdrsidecar.tests.promql;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.tests.support.LineProgram;
import io.hdrsidecar.tests.support.PrometheusApi;
import io.hdrsidecar.tests.support.RawClient;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Series of which two know the same: a sidecar, to which their seconds were sent as intervals, and
 * a Prometheus, as if it had scraped them at the end of each second. What it has scraped is made
 * here from the values, by the definition of classic and native histograms, and not by the sidecar.
 *
 * @param originMillis when the first second begins
 */
record RecordedLoad(long originMillis, List<RecordedSeries> series) {
  static final int SECONDS = 120;

  private static final int MOST_LAYOUTS = 3;

  /** Right to 0.01 %. */
  private static final BucketLayout FINE = BucketLayout.of(1, 4);

  /** Right to 0.1 % from half a millisecond on. */
  private static final BucketLayout OF_MICROS = BucketLayout.of(1000, 3);

  /** Series of several labels, kinds and layouts, raw and corrected ones, which end now. */
  static RecordedLoad ended(long seed) {
    long origin = (System.currentTimeMillis() / 1000 - SECONDS) * 1000;
    List<RecordedSeries> series = new ArrayList<>();
    for (String kind : List.of("response", "service")) {
      for (String route : List.of("/pay", "/cart", "/a\"b")) {
        double millis = kind.equals("response") ? 12 : 2;
        Map<String, String> labels = Map.of("kind", kind, "route", route, "pod", "a");
        series.add(
            RecordedSeries.drawn("demo_call", labels, millis, SECONDS, seed + series.size()));
      }
    }
    for (String shard : List.of("0", "1", "2", "10")) {
      Map<String, String> labels = Map.of("table", "orders", "shard", shard);
      double millis = 0.3 * (1 + Integer.parseInt(shard));
      series.add(RecordedSeries.drawn("query", labels, millis, SECONDS, seed + series.size()));
    }
    for (String pod : List.of("a", "b")) {
      series.add(
          RecordedSeries.steady(
              "steady", Map.of("pod", pod), pod.equals("a") ? 5 : 40, SECONDS, seed));
    }
    BucketLayout usual = RecordedSeries.LAYOUT;
    series.add(several("a", seed).in(OF_MICROS));
    series.add(several("b", seed + 1).in(usual, FINE));
    series.add(several("c", seed + 2).in(FINE, OF_MICROS, usual));
    for (String pod : List.of("a", "b")) {
      series.add(
          RecordedSeries.drawn("paced", Map.of("pod", pod), 8, SECONDS, seed + pod.hashCode()));
      Map<String, String> corrected = Map.of("pod", pod, "corrected", "true");
      series.add(RecordedSeries.drawn("paced", corrected, 30, SECONDS, seed - pod.hashCode()));
    }
    return new RecordedLoad(origin, series);
  }

  private static RecordedSeries several(String pod, long seed) {
    return RecordedSeries.drawn("several_layouts", Map.of("pod", pod), 30, SECONDS, seed);
  }

  /** Some of its seconds. */
  RecordedLoad only(IntPredicate chosen) {
    return new RecordedLoad(originMillis, series.stream().map(each -> each.only(chosen)).toList());
  }

  long endMillis() {
    return originMillis + SECONDS * 1000L;
  }

  /** Gives it to a sidecar, and waits until it has all. */
  void send(SidecarProcess sidecar) throws Exception {
    try (RawClient client = new RawClient(sidecar.ingestAddress())) {
      for (int i = 0; i < series.size(); i++) {
        series.get(i).send(client, 1 + i * MOST_LAYOUTS, originMillis);
      }
      client.awaitSettled();
    }
  }

  /** Gives it to a Prometheus that takes remote writes. */
  void write(PrometheusApi prometheus) throws Exception {
    List<String> lines =
        series.stream().flatMap(each -> new ScrapedSeries(each, originMillis).lines()).toList();
    LineProgram.run(List.of("prometheus-write", prometheus.url()), lines);
  }
}
