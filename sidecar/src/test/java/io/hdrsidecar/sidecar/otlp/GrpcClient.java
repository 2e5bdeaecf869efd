package io.hdrsidecar.sidecar.otlp;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import org.jspecify.annotations.Nullable;

/** Calls by gRPC, and other requests by HTTP/2, with the client of Vert.x; frames are made here. */
final class GrpcClient {
  static final String EXPORT = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";

  /** An answer as it came. */
  record Answer(int httpStatus, MultiMap headers, Buffer body, MultiMap trailers) {
    /** Of gRPC, wherever it stands; -1 without one. */
    int status() {
      String status = header("grpc-status");
      return status == null ? -1 : Integer.parseInt(status);
    }

    @Nullable String header(String name) {
      return headers.contains(name) ? headers.get(name) : trailers.get(name);
    }

    /** The one message, without its prefix. */
    byte[] message() {
      assert body.getByte(0) == 0 && body.getInt(1) == body.length() - 5;
      return body.getBytes(5, body.length());
    }
  }

  private final HttpClient client;
  private final int port;
  private final boolean isEncrypted;

  /** Of a server in the clear, by prior knowledge. */
  GrpcClient(Vertx vertx, int port) {
    this(vertx, port, new HttpClientOptions());
  }

  /** Of a server with TLS, if the options say so. */
  GrpcClient(Vertx vertx, int port, HttpClientOptions options) {
    this.port = port;
    this.isEncrypted = options.isSsl();
    client =
        vertx.createHttpClient(
            options
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setUseAlpn(isEncrypted));
  }

  /** One message with its prefix. */
  static Buffer framed(boolean isPacked, byte[] message) {
    return Buffer.buffer()
        .appendByte((byte) (isPacked ? 1 : 0))
        .appendInt(message.length)
        .appendBytes(message);
  }

  /** Calls the method that takes metrics. */
  Answer export(Buffer body, String... headers) {
    return call(HttpMethod.POST, EXPORT, "application/grpc", body, headers);
  }

  /**
   * Any request.
   *
   * @param headers names and values in turn
   */
  Answer call(HttpMethod method, String path, String type, Buffer body, String... headers) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setHost("localhost")
            .setPort(port)
            .setSsl(isEncrypted)
            .setURI(path)
            .putHeader("content-type", type)
            .putHeader("te", "trailers");
    for (int i = 0; i < headers.length; i += 2) {
      options.putHeader(headers[i], headers[i + 1]);
    }
    return client
        .request(options)
        .compose(request -> request.send(body))
        .compose(
            response ->
                response
                    .body()
                    .map(
                        bytes ->
                            new Answer(
                                response.statusCode(),
                                response.headers(),
                                bytes,
                                response.trailers())))
        .await();
  }
}
