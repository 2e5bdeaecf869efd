package io.hdrsidecar.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The service: {@code GET /checkout} takes some milliseconds and now and then much longer; {@code
 * GET /ready} is for the readiness probe. What it measures is the series {@code shop_request}.
 */
final class CheckoutService {
  private static final int THREADS = 4;
  private static final double TYPICAL_NANOS = 3e6;
  private static final double SPREAD = 0.5;

  /** One call in so many holds its thread up, like a full collection or a slow disk. */
  private static final int STALL_ONE_IN = 500;

  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final AtomicBoolean ready = new AtomicBoolean(true);
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;
  private final LatencyRecorder requests;

  CheckoutService(HdrSidecarClient client, int port) throws IOException {
    // Kept in a field: looking a recorder up costs more than recording.
    this.requests = client.recorder("shop_request", Labels.of("route", "/checkout"));
    this.server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(threads);
    server.createContext("/checkout", exchange -> requests.time(() -> checkout(exchange)));
    server.createContext("/ready", exchange -> answer(exchange, ready.get() ? 200 : 503));
  }

  /** The real port. */
  int port() {
    return server.getAddress().getPort();
  }

  void start() {
    server.start();
  }

  /** From now on a probe finds it not ready, while calls are still answered. */
  void endReadiness() {
    ready.set(false);
  }

  /** Answers what is under way, a second at most. */
  void stop() {
    server.stop(1);
    threads.shutdown();
  }

  private static void checkout(HttpExchange exchange) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    boolean stalls = random.nextInt(STALL_ONE_IN) == 0;
    long work = (long) (TYPICAL_NANOS * Math.exp(SPREAD * random.nextGaussian()));
    LockSupport.parkNanos(stalls ? STALL_NANOS : work);
    try {
      answer(exchange, 200);
    } catch (IOException e) {
      exchange.close(); // The caller has gone; the time it took counts all the same.
    }
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }
}
