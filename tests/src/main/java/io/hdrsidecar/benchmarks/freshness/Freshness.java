package io.hdrsidecar.benchmarks.freshness;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the delay from {@code record} to {@code /metrics}, value by value.
 *
 * <p>Claim: at most one interval and 250 ms. Each value is recorded at a random moment of the
 * interval, and then the page is asked again and again until it counts it; so a figure is too high
 * by up to one scrape, never too low. Argument: the number of values (default 30).
 */
public final class Freshness {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final long TARGET_MILLIS = INTERVAL.plusMillis(250).toMillis();
  private static final Duration BETWEEN_SCRAPES = Duration.ofMillis(2);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Freshness() {}

  /** Runs against a sidecar in this process, reached over sockets. */
  public static void main(String[] args) throws Exception {
    int values = args.length > 0 ? Integer.parseInt(args[0]) : 30;
    Map<String, String> ports = Map.of("--ingest-port", "0", "--http-port", "0");
    try (Sidecar sidecar = Sidecar.start(ConfigLoader.load(ports, Map.of(), null));
        HdrSidecarClient client = HdrSidecarClient.create(clientConfig(sidecar))) {
      CountedOnPage page = new CountedOnPage(sidecar.httpAddress(), "freshness_seconds_count");
      print(delaysMillis(client.recorder("freshness"), page, values));
    }
  }

  private static ClientConfig clientConfig(Sidecar sidecar) {
    return ClientConfig.builder().address(sidecar.ingestAddress()).interval(INTERVAL).build();
  }

  private static double[] delaysMillis(LatencyRecorder recorder, CountedOnPage page, int values)
      throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    double[] delays = new double[values];
    for (int i = -1; i < values; i++) { // the first connects, and warms up
      LockSupport.parkNanos(random.nextLong(INTERVAL.toNanos()));
      long start = System.nanoTime();
      recorder.record(1_000_000);
      page.await(i + 2, BETWEEN_SCRAPES, PATIENCE);
      if (i >= 0) {
        delays[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    return delays;
  }

  private static void print(double[] delays) {
    Arrays.sort(delays);
    System.out.printf(
        Locale.ROOT,
        "record to /metrics, %d values, interval %d ms: min %.0f ms, median %.0f ms, max %.0f ms;"
            + " claim: at most %d ms%n",
        delays.length,
        INTERVAL.toMillis(),
        delays[0],
        delays[delays.length / 2],
        delays[delays.length - 1],
        TARGET_MILLIS);
  }
}
