package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/** A whole sidecar that takes OTLP on a free port, with its settings. */
final class OtlpSidecar implements AutoCloseable {
  private final HttpClient plain = HttpClient.newHttpClient();
  private final Sidecar sidecar;
  private final int port;

  /**
   * Starts it.
   *
   * @param flags and their values in turn
   */
  OtlpSidecar(String... flags) throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "--ingest-port", "0", "--http-port", "0", "--otlp-address", "127.0.0.1:" + port));
    for (int i = 0; i < flags.length; i += 2) {
      all.put(flags[i], flags[i + 1]);
    }
    sidecar = Sidecar.start(ConfigLoader.load(all, Map.of(), null));
  }

  /** Where OTLP is taken. */
  int port() {
    return port;
  }

  /** The status that a request in protobuf is answered with. */
  int post(HttpClient client, String scheme, byte[] body) throws IOException, InterruptedException {
    URI uri = URI.create(scheme + "://localhost:" + port + "/v1/metrics");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  /** The same without TLS. */
  int post(byte[] body) throws IOException, InterruptedException {
    return post(plain, "http", body);
  }

  /** How many values a series has; 0 without it. */
  long count(String series) throws IOException, InterruptedException {
    URI uri = sidecar.httpAddress().resolve("/api/v1/histogram?window=total&series=" + series);
    JsonObject answer =
        new JsonObject(
            plain.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body());
    return answer.containsKey("data") ? answer.getJsonObject("data").getLong("count") : 0;
  }

  @Override
  public void close() {
    sidecar.close();
  }
}
