package io.hdrsidecar.sidecar.access;

import io.netty.handler.ssl.NotSslRecordException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What one listener asks of those who connect, as its files say now.
 *
 * <p>The files are read as a whole and checked before anything of them is used: a renewal that is
 * half written, or wrong, leaves in force what was. Connections that are open stay open; what is
 * new holds for those that come.
 *
 * <p>Any thread may ask; loading and refreshing are for one thread at a time that may block.
 */
public final class Access {
  private static final String SCHEME = "bearer ";
  private static final Logger LOG = System.getLogger(Access.class.getName());
  private static final long REFRESH_MILLIS = 2000;

  private final String listener;
  private final Vertx vertx;
  private volatile AccessConfig config;
  private AccessFiles files;
  private volatile Tokens tokens;
  private volatile @Nullable ServerTls tls;
  private Function<ServerSSLOptions, Future<Boolean>> tlsUser =
      options -> Future.succeededFuture(false);
  private String lastProblem = "";
  private @Nullable Context context;
  private boolean isWatching;

  private Access(String listener, Vertx vertx, AccessConfig config) throws IOException {
    this.listener = listener;
    this.vertx = vertx;
    this.config = config;
    this.files = AccessFiles.read(listener, config);
    this.tokens = tokens(listener, config, files);
    this.tls = tls(config, files);
    warnIfExpired(tls);
  }

  /**
   * Reads the files, and looks every few seconds whether they have changed, until the caller's
   * context ends. Fails with an IOException naming the file and what is wrong with it.
   *
   * @param listener whose access this is, for logs: {@code ingest} or {@code http}
   */
  public static Future<Access> open(String listener, AccessConfig config, Vertx vertx) {
    return vertx
        .executeBlocking(() -> new Access(listener, vertx, config))
        .onSuccess(access -> access.watchIn(vertx.getOrCreateContext()));
  }

  private synchronized void watchIn(Context caller) {
    context = caller;
    watchFiles();
  }

  /** From when there are files on: a process at rest does not wake to look at none. */
  private synchronized void watchFiles() {
    if (context != null && !isWatching && config.readsFiles()) {
      isWatching = true;
      context.runOnContext(none -> vertx.setPeriodic(REFRESH_MILLIS, timer -> refreshLater()));
    }
  }

  private void refreshLater() {
    vertx.executeBlocking(
        () -> {
          refresh();
          return true;
        },
        false);
  }

  /** Whether this token, or none if it is empty, is enough. Takes the same time for any answer. */
  public boolean admits(String token) {
    return tokens.admit(token);
  }

  /**
   * The same for what a header {@code Authorization} says, which may be missing: a bearer token
   * (RFC 6750).
   */
  public boolean admitsHeader(@Nullable String authorization) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return admits("");
    }
    return admits(authorization.substring(SCHEME.length()).strip());
  }

  /** When the certificate in use ends, in seconds since the epoch; NaN without TLS. Any thread. */
  public double certificateExpirySeconds() {
    ServerTls current = tls;
    return current == null ? Double.NaN : current.expiry().getEpochSecond();
  }

  /** Makes a server speak TLS, if it is to. */
  public void applyTls(NetServerOptions server) {
    ServerTls current = tls;
    if (current != null) {
      current.applyTo(server);
    }
  }

  /** Will be asked to speak TLS another way from the next connection on. */
  public synchronized void onTlsChange(Function<ServerSSLOptions, Future<Boolean>> server) {
    tlsUser = server;
  }

  /**
   * A connection did not get as far as to say something: a client without a certificate, one that
   * does not trust ours, one that speaks no TLS; or one that was cut, as by a port scanner or a
   * health check, which is nothing to warn of. Any thread.
   */
  public void connectionFailed(Throwable failure) {
    boolean isOfTls = failure instanceof SSLException || failure.getCause() instanceof SSLException;
    LOG.log(
        isOfTls ? Level.WARNING : Level.DEBUG,
        (isOfTls ? "event=handshake_failed" : "event=connection_cut")
            + " listener={0} problem=\"{1}\"",
        listener,
        handshakeProblem(failure));
  }

  static String handshakeProblem(Throwable failure) {
    // Netty's message has the bytes that came: a request in the clear, perhaps with its token.
    return failure instanceof NotSslRecordException
        ? "not an SSL/TLS record: the client speaks without TLS"
        : String.valueOf(failure.getMessage());
  }

  /** Takes up what has changed in the files; keeps what is in force when it cannot be used. */
  public synchronized void refresh() {
    try {
      prepare(config).run();
      lastProblem = "";
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(lastProblem)) {
        lastProblem = problem;
        LOG.log(Level.WARNING, "event=access_kept listener={0} problem=\"{1}\"", listener, problem);
      }
    }
  }

  /**
   * Reads and checks other settings without using them. Whether TLS is spoken at all cannot change.
   *
   * @return uses them from now on, with the files as they were read; cannot fail
   * @throws IOException naming the file and what is wrong with it
   */
  public synchronized Runnable prepare(AccessConfig wanted) throws IOException {
    if (wanted.isEncrypted() != config.isEncrypted()) {
      throw new IOException(listener + ": TLS can only be switched on or off by a restart");
    }
    AccessFiles found = AccessFiles.read(listener, wanted);
    boolean newTls = !found.sameTls(files) || asksForClients(wanted) != asksForClients(config);
    boolean newTokens =
        !found.sameTokens(files) || !Objects.equals(wanted.tokenFile(), config.tokenFile());
    Tokens tokensFound = newTokens ? tokens(listener, wanted, found) : tokens;
    ServerTls tlsFound = newTls ? tls(wanted, found) : tls;
    return () -> take(wanted, found, newTokens, tokensFound, newTls, tlsFound);
  }

  private synchronized void take(
      AccessConfig wanted,
      AccessFiles found,
      boolean newTokens,
      Tokens tokensFound,
      boolean newTls,
      @Nullable ServerTls tlsFound) {
    config = wanted;
    watchFiles();
    files = found;
    tokens = tokensFound;
    tls = tlsFound;
    if (newTokens) {
      LOG.log(Level.INFO, "event=tokens_renewed listener={0}", listener);
    }
    if (newTls && tlsFound != null) {
      LOG.log(
          Level.INFO,
          "event=certificate_renewed listener={0} expires={1}",
          listener,
          tlsFound.expiry().toString());
      warnIfExpired(tlsFound);
      tlsUser
          .apply(tlsFound.options())
          .onFailure(
              e ->
                  LOG.log(
                      Level.ERROR,
                      "event=certificate_not_used listener={0} cause={1}",
                      listener,
                      e));
    }
  }

  private static boolean asksForClients(AccessConfig config) {
    TlsConfig tls = config.tls();
    return tls != null && tls.clientCa() != null;
  }

  static Tokens tokens(String listener, AccessConfig config, AccessFiles files) throws IOException {
    if (config.tokenFile() == null) {
      return Tokens.NOT_NEEDED;
    }
    try {
      return Tokens.of(files.tokens().getBytes());
    } catch (IOException e) {
      throw new IOException(
          AccessFiles.tokenFile(listener) + ": " + e.getMessage() + ": " + config.tokenFile(), e);
    }
  }

  private @Nullable ServerTls tls(AccessConfig wanted, AccessFiles found) throws IOException {
    TlsConfig wantedTls = wanted.tls();
    return wantedTls == null ? null : ServerTls.of(wantedTls, found, vertx);
  }

  private void warnIfExpired(@Nullable ServerTls current) {
    if (current != null && current.expiry().isBefore(Instant.now())) {
      LOG.log(
          Level.WARNING,
          "event=certificate_expired listener={0} expired={1} fix=\"renew tls.certificate; it is"
              + " taken up without a restart\"",
          listener,
          current.expiry().toString());
    }
  }
}
