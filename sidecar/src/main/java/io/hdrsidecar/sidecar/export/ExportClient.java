package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.send.TlsContext;
import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.export.ExportAnswer.Result;
import io.hdrsidecar.sidecar.input.CauseText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the receiver over HTTP/1.1, one after another, and says what came of each.
 *
 * <p>Redirects are not followed. Of an answer some KiB are read, and its time ends with that of the
 * request, so a hostile receiver costs a request its time and nothing more. Token, headers and
 * files of TLS are read for each request. One thread; blocks.
 */
final class ExportClient {
  private static final int MOST_ANSWER_BYTES = 16 << 10;

  private final ExportConfig config;
  private final ExportWire wire;
  private final String version;
  private final InstantSource clock;
  private final TlsContext tls;
  private @Nullable HttpClient client;
  private @Nullable SSLContext clientTls;

  ExportClient(ExportConfig config, ExportWire wire, String version, InstantSource clock) {
    this.config = config;
    this.wire = wire;
    this.version = version;
    this.clock = clock;
    this.tls = new TlsContext(config.tls());
  }

  /**
   * The head of an answer, as soon as it is there, and what of the rest is kept: it is enough when
   * there is more.
   */
  private static final class ReceivedBody implements Consumer<Optional<byte[]>> {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CompletableFuture<Void> enough = new CompletableFuture<>();
    private volatile @Nullable ResponseInfo head;

    @Override
    public synchronized void accept(Optional<byte[]> part) {
      byte[] bytes = part.orElse(new byte[0]);
      int kept = Math.min(bytes.length, MOST_ANSWER_BYTES - body.size());
      body.write(bytes, 0, kept);
      if (kept < bytes.length) {
        enough.complete(null);
      }
    }

    synchronized byte[] body() {
      return body.toByteArray();
    }

    BodyHandler<Void> handler() {
      return info -> {
        head = info;
        return BodySubscribers.ofByteArrayConsumer(this);
      };
    }
  }

  /**
   * Sends a request and waits for what comes of it.
   *
   * @param patience at most; above 0
   */
  ExportAnswer send(ExportRequest request, Duration patience) throws InterruptedException {
    ReceivedBody received = new ReceivedBody();
    CompletableFuture<?> answered;
    try {
      HttpRequest http = request(request.body(), patience);
      answered = client().sendAsync(http, received.handler());
    } catch (IOException | IllegalArgumentException e) {
      return ExportAnswer.of(Result.UNREACHABLE, CauseText.of(e));
    }
    try {
      CompletableFuture.anyOf(answered, received.enough)
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      if (received.head == null) {
        return ExportAnswer.of(Result.UNANSWERED, "no answer in " + patience);
      }
    } catch (ExecutionException e) {
      if (received.head == null) {
        return failed(e.getCause() == null ? e : e.getCause());
      }
    } finally {
      answered.cancel(true); // Ends the connection, unless the whole answer is there.
    }
    ResponseInfo head = received.head;
    return head == null
        ? ExportAnswer.of(Result.UNANSWERED, "an answer without a status")
        : answer(head, received.body(), request.streams().size());
  }

  private HttpRequest request(byte[] body, Duration patience) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(config.address())
            .timeout(patience)
            .header("User-Agent", "hdr-sidecar/" + version);
    wire.headers().forEach(request::header);
    config.headers().forEach(request::setHeader);
    String token = config.bearer();
    if (!token.isEmpty()) {
      request.setHeader("Authorization", "Bearer " + token);
    }
    return request.POST(BodyPublishers.ofByteArray(body)).build();
  }

  /** Another one when files of TLS have changed. */
  private HttpClient client() throws IOException {
    HttpClient known = client;
    SSLContext context = config.isEncrypted() ? tls.current() : null;
    if (known != null && context == clientTls) {
      return known;
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(config.timeout());
    if (context != null) {
      builder.sslContext(context);
    }
    HttpClient made = builder.build();
    client = made;
    clientTls = context;
    return made;
  }

  private ExportAnswer failed(Throwable cause) {
    boolean isUnreachable =
        cause instanceof ConnectException
            || cause instanceof HttpConnectTimeoutException
            || cause instanceof SSLHandshakeException;
    Result result = isUnreachable ? Result.UNREACHABLE : Result.UNANSWERED;
    return ExportAnswer.of(result, text(cause));
  }

  /** Java's client says neither that a host is not known nor that nobody listens there. */
  private String text(Throwable cause) {
    if (!(cause instanceof ConnectException) || cause.getMessage() != null) {
      return CauseText.of(cause);
    }
    return cause.getCause() instanceof UnresolvedAddressException
        ? "unknown host " + config.address().getHost()
        : "no connection";
  }

  private ExportAnswer answer(ResponseInfo head, byte[] body, int points) {
    Duration wait =
        head.headers()
            .firstValue("Retry-After")
            .map(text -> RetryAfter.read(text, clock.instant()))
            .orElse(Duration.ZERO);
    return wire.answer(head.statusCode(), head.headers(), body, points).after(wait);
  }
}
