package io.hdrsidecar.fleet.demo;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.ClientHealth;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A service with a real client: records latencies at a steady rate, and remembers them. */
final class RecordingClient implements AutoCloseable {
  private static final String NAME = "request";
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final double SLOW_SHARE = 0.01;
  private static final double SLOW_FACTOR = 20;

  private record Route(String name, LatencyRecorder recorder, RawTruth truth, double medianNanos) {}

  private final HdrSidecarClient client;
  private final List<Route> routes = new ArrayList<>();
  private final SplittableRandom random;
  private final double valuesPerNano;
  private final Thread thread = new Thread(this::run, "recording");
  private volatile boolean isEnding;
  private boolean isPaused = true; // guarded by this

  /**
   * Records nothing until {@link #resume}.
   *
   * @param names one series for each, by label {@code route}
   * @param rate values a second
   */
  RecordingClient(ClientConfig config, List<String> names, double rate, long seed) {
    this.client = HdrSidecarClient.create(config);
    this.random = new SplittableRandom(seed);
    this.valuesPerNano = rate / TimeUnit.SECONDS.toNanos(1);
    for (String name : names) {
      routes.add(
          new Route(
              name,
              client.recorder(NAME, Labels.of("route", name)),
              new RawTruth(),
              TimeUnit.MILLISECONDS.toNanos(2 + 5L * routes.size())));
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** Of a client on this machine, for the address of a sidecar. */
  static ClientConfig.Builder config(int port) {
    return ClientConfig.builder()
        .address("tcp://127.0.0.1:" + port)
        .interval(Duration.ofMillis(500))
        .shutdownHook(false); // Everything ends together.
  }

  private void run() {
    double due = 0;
    long last = System.nanoTime();
    while (!isEnding) {
      LockSupport.parkNanos(TICK_NANOS);
      long now = System.nanoTime();
      for (due += valuesPerNano * (now - last); due >= 1; due--) {
        recordUnlessPaused();
      }
      last = now;
    }
  }

  private synchronized void recordUnlessPaused() {
    if (!isPaused) {
      recordTo(routes.get(random.nextInt(routes.size())));
    }
  }

  /** One value of each series, and no pause keeps it from that. */
  synchronized void recordToEach() {
    routes.forEach(this::recordTo);
  }

  private void recordTo(Route route) {
    double factor = random.nextDouble() < SLOW_SHARE ? SLOW_FACTOR : 1;
    long value = 1 + (long) (route.medianNanos * factor * Math.exp(0.5 * gaussian()));
    route.recorder.record(value);
    route.truth.record(value);
  }

  private double gaussian() {
    return random.doubles(12).sum() - 6;
  }

  synchronized void resume() {
    isPaused = false;
  }

  /** When this returns, nothing more is recorded. */
  synchronized void pause() {
    isPaused = true;
  }

  /** How many values were recorded. */
  long recorded() {
    return routes.stream().mapToLong(route -> route.truth.count()).sum();
  }

  /** Whether all of them were acknowledged. */
  boolean isDelivered() {
    return client.health().acknowledgedValues() == recorded();
  }

  ClientHealth health() {
    return client.health();
  }

  /** Adds what was recorded for a route; nothing if it is none of this client's. */
  void addTo(RawTruth sum, String name) {
    for (Route route : routes) {
      if (route.name.equals(name)) {
        sum.add(route.truth);
      }
    }
  }

  @Override
  public void close() {
    isEnding = true;
    LockSupport.unpark(thread);
    client.close(Duration.ZERO);
  }
}
