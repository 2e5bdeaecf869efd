package io.hdrsidecar.benchmarks.peers.application;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.zip.GZIPOutputStream;

/** {@code /metrics} of a library that is scraped in process, on the JDK's small HTTP server. */
final class MetricsServer implements AutoCloseable {
  private final PageWriter page;
  private final boolean compresses;
  private final HttpServer server;

  /** Writes the metrics in the first form that this value of {@code Accept} asks for. */
  interface PageWriter {
    void write(OutputStream out, String accept) throws IOException;
  }

  MetricsServer(PageWriter page, boolean compresses) throws IOException {
    this.page = page;
    this.compresses = compresses;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String accept = exchange.getRequestHeaders().getFirst("Accept");
    String encoding = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    boolean gzip = compresses && encoding != null && encoding.contains("gzip");
    if (gzip) {
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    }
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody();
        OutputStream out = gzip ? new GZIPOutputStream(body) : body) {
      page.write(out, accept == null ? "" : accept);
    }
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
