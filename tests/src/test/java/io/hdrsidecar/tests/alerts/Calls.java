package io.hdrsidecar.tests.alerts;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An application: ten calls a second on each of its routes, as slow as it is told to be. */
final class Calls implements AutoCloseable {
  private static final long BETWEEN_CALLS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HdrSidecarClient client;
  private final Thread thread = new Thread(this::run, "calls");
  private volatile Duration latency = Duration.ofMillis(5);
  private volatile int routes = 1;

  /** Begins, with one route. */
  Calls(String address) {
    client =
        HdrSidecarClient.create(
            ClientConfig.builder()
                .address(address)
                .interval(Duration.ofMillis(250))
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .build());
    thread.start();
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      for (int route = 0; route < routes; route++) {
        client.recorder("checkout", Labels.of("route", "/" + route)).record(latency);
      }
      LockSupport.parkNanos(BETWEEN_CALLS);
    }
  }

  /** From now on every call takes so long. */
  void take(Duration duration) {
    latency = duration;
  }

  /** From now on there are calls on so many routes, each of which is a series. */
  void useRoutes(int number) {
    routes = number;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
