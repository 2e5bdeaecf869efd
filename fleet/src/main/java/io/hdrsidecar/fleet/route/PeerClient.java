package io.hdrsidecar.fleet.route;

import io.hdrsidecar.fleet.route.RouteCounters.Failure;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.api.SharedSeries;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks other nodes over HTTP, with the token that this node itself asks for, and over TLS where it
 * speaks that itself. Any thread; only reading its files blocks.
 */
final class PeerClient implements AutoCloseable {
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final int MAX_ERROR_BYTES = 16 << 10;
  private static final int CONNECTIONS = 8;

  private final HttpClientAgent client;
  private final AccessConfig access;
  private final RouteConfig config;

  PeerClient(Vertx vertx, AccessConfig access, RouteConfig config) {
    this.access = access;
    this.config = config;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions().setUseAlpn(false),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
  }

  /** Why an answer cannot be used; the message names the node. */
  static final class PeerException extends Exception {
    private static final long serialVersionUID = 1;
    private final Failure failure;
    private final boolean isForGood;

    PeerException(Failure failure, String message, boolean isForGood) {
      super(message);
      this.failure = failure;
      this.isForGood = isForGood;
    }

    Failure failure() {
      return failure;
    }

    /** Whether the query itself is refused, as it asks for too much. */
    boolean isForGood() {
      return isForGood;
    }
  }

  /**
   * Asks one. Reads files, so not on an event loop.
   *
   * @param into gets the body; nobody else may use it until this has completed
   * @return fails with a {@link PeerException}, or a {@link HeapFullException} when there is no
   *     memory for the answer
   */
  Future<Received> ask(PeerAddress peer, byte[] query, Received into) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(peer.host())
            .setPort(peer.port())
            .setURI(SharedSeries.PATH)
            .setConnectTimeout(config.peerTimeout().toMillis());
    try {
      Path tokens = access.tokenFile();
      if (tokens != null) {
        options.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + firstToken(tokens));
      }
      TlsConfig tls = access.tls();
      options.setSsl(tls != null);
      if (tls != null) {
        options.setSslOptions(ssl(tls));
      }
    } catch (IOException e) {
      return Future.failedFuture(
          new PeerException(
              Failure.REFUSED, "other nodes cannot be asked: " + CauseText.of(e), false));
    }
    AtomicReference<@Nullable HttpClientRequest> sent = new AtomicReference<>();
    return client
        .request(options)
        .compose(
            request -> {
              sent.set(request);
              return request
                  .send(Buffer.buffer(query))
                  .compose(response -> read(peer, request, response, into));
            })
        .timeout(config.peerTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(
            failure -> {
              HttpClientRequest request = sent.get();
              if (request != null) {
                request.reset();
              }
              return Future.failedFuture(explained(peer, failure));
            });
  }

  private Throwable explained(PeerAddress peer, Throwable failure) {
    if (failure instanceof PeerException || failure instanceof HeapFullException) {
      return failure;
    }
    return failure instanceof TimeoutException
        ? new PeerException(
            Failure.TIMEOUT,
            "node "
                + peer
                + " has not answered within "
                + config.peerTimeout().toMillis()
                + " ms"
                + " (node.peer-timeout)",
            false)
        : new PeerException(
            Failure.UNREACHABLE,
            "node " + peer + " cannot be asked: " + CauseText.of(failure),
            false);
  }

  private static Future<Received> read(
      PeerAddress peer, HttpClientRequest request, HttpClientResponse response, Received into) {
    Promise<Received> whole = Promise.promise();
    Buffer error = Buffer.buffer();
    boolean isAnswer = response.statusCode() == 200;
    response
        .handler(
            chunk -> {
              if (whole.future().isComplete()) {
                return;
              }
              if (isAnswer) {
                keep(chunk, into, whole);
              } else if (error.length() < MAX_ERROR_BYTES) {
                error.appendBuffer(chunk);
              }
              if (whole.future().failed()) {
                request.reset();
              }
            })
        .exceptionHandler(whole::tryFail)
        .endHandler(
            end -> {
              if (isAnswer) {
                whole.tryComplete(into);
              } else {
                whole.tryFail(refused(peer, response.statusCode(), error));
              }
            });
    return whole.future();
  }

  private static void keep(Buffer chunk, Received into, Promise<Received> whole) {
    try {
      if (!into.keep(chunk)) {
        whole.tryFail("nobody waits for the answer");
      }
    } catch (HeapFullException e) {
      whole.tryFail(e);
    }
  }

  private static PeerException refused(PeerAddress peer, int status, Buffer body) {
    String why;
    try {
      why = new JsonObject(body).getString("error", "");
    } catch (DecodeException | ClassCastException e) {
      why = "";
    }
    // 422 is about the query: the asker is told as if all series were here.
    return status == 422
        ? new PeerException(Failure.TOO_MUCH, why, true)
        : new PeerException(
            Failure.REFUSED,
            "node " + peer + " answers " + status + (why.isEmpty() ? "" : ": " + why),
            false);
  }

  /** While tokens change, all nodes know the new one before it is the first. */
  private static String firstToken(Path file) throws IOException {
    return new String(WholeFile.bytes(file, MAX_FILE_BYTES), StandardCharsets.UTF_8)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElseThrow(() -> new IOException("http.token-file has no token"));
  }

  private ClientSSLOptions ssl(TlsConfig tls) throws IOException {
    Buffer certificate = file(tls.certificate());
    Path ca = config.peerCa();
    ClientSSLOptions options = new ClientSSLOptions();
    options.setTrustOptions(
        new PemTrustOptions().addCertValue(ca == null ? certificate : file(ca)));
    options.setHostnameVerificationAlgorithm("HTTPS");
    if (tls.clientCa() != null) {
      options.setKeyCertOptions(
          new PemKeyCertOptions().setCertValue(certificate).setKeyValue(file(tls.key())));
    }
    return options;
  }

  private static Buffer file(Path file) throws IOException {
    return Buffer.buffer(WholeFile.bytes(file, MAX_FILE_BYTES));
  }

  @Override
  public void close() {
    client.close();
  }
}
