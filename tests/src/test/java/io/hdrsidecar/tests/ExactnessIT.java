package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every value recorded is exposed once, in the bucket in which HdrHistogram itself counts it. */
final class ExactnessIT {
  private static final int THREADS = 4;
  private static final int CLIENTS = 3;
  private static final int VALUES_PER_THREAD = 2_500_000;
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final long SEED = 42;

  @RegisterExtension final Processes processes = new Processes();

  /** A bucket as the API shows it. */
  private record Bucket(long lowest, long highest, long count) {}

  @Test
  void histogram_of10MillionValuesFrom4ThreadsOver3Clients_equalsHdrHistogramOfTheSameValues()
      throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    List<long[]> values =
        IntStream.range(0, THREADS).parallel().mapToObj(ExactnessIT::valuesOf).toList();

    record(sidecar, values);

    JsonObject total = sidecar.total("exactness", "&buckets=true");
    LongSummaryStatistics raw = values.stream().flatMapToLong(Arrays::stream).summaryStatistics();
    assertThat(total.getLong("count")).isEqualTo(raw.getCount()).isEqualTo(10_000_000);
    assertThat(total.getLong("sum")).isEqualTo(raw.getSum());
    assertThat(total.getLong("min")).isEqualTo(raw.getMin());
    assertThat(total.getLong("max")).isEqualTo(raw.getMax());
    assertThat(bucketsOf(total)).isEqualTo(bucketsOf(histogramOf(values)));
  }

  /** Log-normal around 1 ms, with both ends of the range among them. */
  private static long[] valuesOf(int thread) {
    SplittableRandom random = new SplittableRandom(SEED + thread);
    long[] values = new long[VALUES_PER_THREAD];
    for (int i = 0; i < values.length; i++) {
      double drawn = 1e6 * Math.exp(2 * random.nextGaussian());
      values[i] = Math.min(HIGHEST, (long) drawn);
    }
    values[thread] = thread;
    values[values.length - 1] = HIGHEST - thread;
    return values;
  }

  private static void record(SidecarProcess sidecar, List<long[]> values) {
    List<HdrSidecarClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(
          HdrSidecarClient.create(
              ClientConfig.builder()
                  .address(sidecar.ingestAddress())
                  .interval(Duration.ofMillis(100)) // so that many intervals are merged
                  .build()));
    }
    List<CompletableFuture<?>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      long[] own = values.get(thread);
      LatencyRecorder recorder =
          clients.get(thread % CLIENTS).recorder("exactness", Labels.empty());
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (long value : own) {
                  recorder.record(value);
                }
              },
              command -> new Thread(command, "recording").start()));
    }
    threads.forEach(CompletableFuture::join);
    for (HdrSidecarClient client : clients) {
      assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
    }
  }

  private static Histogram histogramOf(List<long[]> values) {
    Histogram histogram = new Histogram(1, HIGHEST, 3);
    values.stream().flatMapToLong(Arrays::stream).forEach(histogram::recordValue);
    return histogram;
  }

  private static List<Bucket> bucketsOf(Histogram histogram) {
    return StreamSupport.stream(histogram.recordedValues().spliterator(), false)
        .map(
            value ->
                new Bucket(
                    histogram.lowestEquivalentValue(value.getValueIteratedTo()),
                    histogram.highestEquivalentValue(value.getValueIteratedTo()),
                    value.getCountAddedInThisIterationStep()))
        .toList();
  }

  private static List<Bucket> bucketsOf(JsonObject total) {
    return total.getJsonArray("buckets").stream()
        .map(JsonObject.class::cast)
        .map(
            bucket ->
                new Bucket(
                    bucket.getLong("lowest"), bucket.getLong("highest"), bucket.getLong("count")))
        .toList();
  }
}
