package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Sidecars of this process, on free ports, and what their API says. */
final class Fleet {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Fleet() {}

  static Sidecar start(String... flagsAndValues) throws Exception {
    Map<String, String> flags =
        new HashMap<>(
            Map.of("--ingest-port", "0", "--http-port", "0", "--upstream-interval", "100ms"));
    for (int i = 0; i < flagsAndValues.length; i += 2) {
      flags.put(flagsAndValues[i], flagsAndValues[i + 1]);
    }
    return Sidecar.start(ConfigLoader.load(flags, Map.of(), null));
  }

  static String page(Sidecar sidecar) throws IOException, InterruptedException {
    return new String(get(sidecar, "/metrics"), StandardCharsets.UTF_8);
  }

  private static byte[] get(Sidecar sidecar, String path) throws IOException, InterruptedException {
    URI uri = sidecar.httpAddress().resolve(path);
    String accept = path.startsWith("/api/v1/histogram") ? "application/octet-stream" : "*/*";
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
    return HTTP.send(request, BodyHandlers.ofByteArray()).body();
  }

  /** All that was counted since the start by what a selector finds, decoded by HdrHistogram. */
  static Histogram total(Sidecar sidecar, String selector)
      throws IOException, InterruptedException, DataFormatException {
    byte[] encoded =
        get(
            sidecar,
            "/api/v1/histogram?window=total&format=v2&series="
                + URLEncoder.encode(selector, StandardCharsets.UTF_8));
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 1);
  }

  /** What {@code /api/v1/status} says of handing on. */
  static JsonObject upstream(Sidecar sidecar) throws IOException, InterruptedException {
    return new JsonObject(new String(get(sidecar, "/api/v1/status"), StandardCharsets.UTF_8))
        .getJsonObject("data")
        .getJsonObject("upstream");
  }

  /** A condition that others bring about. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  static void eventually(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen within 60 s");
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** Waits until everything that this one has merged is acknowledged above. */
  static void awaitHandedOn(Sidecar sidecar, long values) throws Exception {
    eventually(
        () -> {
          JsonObject now = upstream(sidecar);
          return now.getLong("waitingValues") == 0 && now.getLong("acknowledgedValues") >= values;
        });
  }
}
