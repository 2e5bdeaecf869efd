package io.hdrsidecar.sidecar.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A receiver of OTLP, or of remote write, over real sockets, which answers as it is told and keeps
 * what it was sent. OpenTelemetry's own classes read it. Where nothing else was asked for it
 * answers that it has taken all.
 */
final class Receiver implements AutoCloseable {
  /** Where receivers of remote write listen. */
  static final String REMOTE_WRITE = "/api/v1/write";

  /** Reads a request and ends the connection without a word. */
  static final Answer NONE = new Answer(-1, Map.of(), new byte[0], true);

  /**
   * How a request is answered.
   *
   * @param isTaken whether its points are kept
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Answer(int status, Map<String, String> headers, byte[] body, boolean isTaken) {
    static Answer of(int status) {
      return new Answer(status, Map.of(), new byte[0], status == 200);
    }
  }

  /** A request as it came. */
  @SuppressWarnings("ArrayRecordComponent")
  record Came(byte[] body, Map<String, List<String>> headers, boolean isTaken) {
    ExportMetricsServiceRequest parsed() {
      try {
        boolean isGzip = List.of("gzip").equals(headers.get("Content-encoding"));
        return isGzip
            ? ExportMetricsServiceRequest.parseFrom(
                new GZIPInputStream(new ByteArrayInputStream(body)))
            : ExportMetricsServiceRequest.parseFrom(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    RemoteWritten written() {
      return RemoteWritten.read(body);
    }

    Stream<Metric> metrics() {
      return parsed().getResourceMetricsList().stream()
          .flatMap(resource -> resource.getScopeMetricsList().stream())
          .flatMap(scope -> scope.getMetricsList().stream());
    }

    Stream<ExponentialHistogramDataPoint> points() {
      return metrics().flatMap(m -> m.getExponentialHistogram().getDataPointsList().stream());
    }
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final String path;
  private final Function<byte[], Answer> usual;
  private final Queue<Answer> answers = new ArrayDeque<>();
  private final List<Came> came = new ArrayList<>();

  Receiver() {
    this(0);
  }

  Receiver(int port) {
    this(port, "/v1/metrics", body -> Answer.of(200));
  }

  static Receiver ofRemoteWrite(int port) {
    return new Receiver(port, REMOTE_WRITE, RemoteWritten::answer);
  }

  private Receiver(int port, String path, Function<byte[], Answer> usual) {
    this.path = path;
    this.usual = usual;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(path, this::handle);
    server.setExecutor(threads);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  int port() {
    return server.getAddress().getPort();
  }

  synchronized Receiver then(Answer... more) {
    answers.addAll(Arrays.asList(more));
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Answer answer = next(body, exchange);
    if (answer.status() < 0) {
      exchange.close();
      return;
    }
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(
        answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
    if (answer.body().length > 0) {
      exchange.getResponseBody().write(answer.body());
    }
    exchange.close();
  }

  private synchronized Answer next(byte[] body, HttpExchange exchange) {
    Answer answer = answers.isEmpty() ? usual.apply(body) : answers.remove();
    came.add(new Came(body, Map.copyOf(exchange.getRequestHeaders()), answer.isTaken()));
    notifyAll();
    return answer;
  }

  /** Waits until so many requests have come. */
  synchronized List<Came> await(int requests) throws InterruptedException {
    return await(list -> list.size() >= requests);
  }

  /** Waits until this is true of what has come; the time limit is the test's. */
  synchronized List<Came> await(Predicate<List<Came>> isThere) throws InterruptedException {
    while (!isThere.test(came)) {
      wait();
    }
    return List.copyOf(came);
  }

  synchronized List<Came> all() {
    return List.copyOf(came);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
