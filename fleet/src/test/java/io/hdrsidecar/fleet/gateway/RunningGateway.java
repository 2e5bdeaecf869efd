package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.support.KafkaBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A gateway in this JVM, as its command would start it. */
final class RunningGateway implements AutoCloseable {
  private static final long HEAP_BYTES = 256L << 20;

  private final Gateway gateway;
  private volatile boolean isBroken;

  RunningGateway(KafkaBroker broker, String prefix, int partitions, String... settings)
      throws Exception {
    gateway =
        Gateway.start(
            config(broker.bootstrap(), prefix, partitions, settings),
            GatewayMemory.of(HEAP_BYTES),
            () -> isBroken = true);
  }

  static GatewayConfig config(String bootstrap, String prefix, int partitions, String... settings)
      throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("--kafka-bootstrap-servers", bootstrap);
    flags.put("--kafka-topic-prefix", prefix);
    flags.put("--kafka-partitions", String.valueOf(partitions));
    flags.put("--ingest-port", "0");
    flags.put("--http-port", "0");
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      flags.put(parts[0], parts[1]);
    }
    return GatewayConfig.load(flags, Map.of(), null, GatewayMemory.of(HEAP_BYTES));
  }

  int port() {
    return URI.create(gateway.ingestAddress()).getPort();
  }

  /** What it says of itself, by name and labels as they stand on the page. */
  double metric(String name) throws Exception {
    return metric(URI.create(gateway.httpAddress()), name);
  }

  /** The same of any process that is asked there. */
  static double metric(URI address, String name) throws Exception {
    return get(address.resolve("/metrics"))
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return get(URI.create(gateway.httpAddress() + path));
  }

  private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Something that may not be true yet, but will be. */
  interface Condition {
    boolean holds() throws Exception;
  }

  static void eventually(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen within 90 s");
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  void drain() {
    gateway.drain();
  }

  @Override
  public void close() {
    gateway.close();
    if (isBroken) {
      throw new AssertionError("the gateway is broken, see its log");
    }
  }
}
