package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the listeners ask of those who connect, and whether that is enough for where they listen:
 * beyond loopback, what passes should be encrypted, and who sends or asks should have to prove it.
 */
public final class ListenerRules {
  private final ListenerConfig config;
  private final List<String> problems;

  /** Contradictions are added to the problems. */
  public ListenerRules(ListenerConfig config, List<String> problems) {
    this.config = config;
    this.problems = problems;
    if ((config.certificate() == null) != (config.key() == null)) {
      problems.add("tls.certificate and tls.key: must be set together");
    } else if (config.clientCa() != null && config.certificate() == null) {
      problems.add("tls.client-ca: needs tls.certificate and tls.key");
    }
  }

  /** For clients over TCP. */
  public AccessConfig ingest() {
    return new AccessConfig(tls("ingest.tls", config.ingestTls()), config.ingestTokens());
  }

  /** For scrapes and queries. */
  public AccessConfig http() {
    return new AccessConfig(tls("http.tls", config.httpTls()), config.httpTokens());
  }

  /** For another listener that has its own settings for TLS and tokens. */
  AccessConfig other(String setting, TlsMode mode, @Nullable Path tokens) {
    return new AccessConfig(tls(setting, mode), tokens);
  }

  private @Nullable TlsConfig tls(String setting, TlsMode mode) {
    Path certificate = config.certificate();
    Path key = config.key();
    Path clientCa = config.clientCa();
    if (mode == TlsMode.MUTUAL && clientCa == null) {
      problems.add(setting + ": mutual needs tls.client-ca");
    }
    if (certificate == null || key == null) {
      if (mode == TlsMode.ON || mode == TlsMode.MUTUAL) {
        problems.add(setting + ": needs tls.certificate and tls.key");
      }
      return null;
    }
    return mode == TlsMode.OFF
        ? null
        : new TlsConfig(certificate, key, mode == TlsMode.ON ? null : clientCa);
  }

  /** What should not be reachable the way it is, one line each. */
  public static List<String> exposures(ReceiveConfig ingest, HttpConfig http) {
    return Stream.of(exposure("ingest", ingest.host(), ingest.access()), exposure(http))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The same of HTTP alone. */
  public static Optional<String> exposure(HttpConfig http) {
    return exposure("http", http.host(), http.access());
  }

  /**
   * A line when the environment has a token for clients, and no listener asks for any proof.
   *
   * @param ingest null where no client sends
   */
  public static Optional<String> unusedTokens(
      Map<String, String> environment, @Nullable AccessConfig ingest, AccessConfig http) {
    return EnvironmentNames.unusedTokens(environment, ingest, http);
  }

  private static Optional<String> exposure(String listener, String host, AccessConfig access) {
    boolean isSafe = access.isEncrypted() && access.isAuthenticated();
    if (isSafe || Loopback.isAt(host)) {
      return Optional.empty();
    }
    StringBuilder line = new StringBuilder(listener).append(".host: listens on ").append(host);
    StringBuilder fix = new StringBuilder("; set ");
    if (!access.isEncrypted()) {
      line.append(" without TLS");
      fix.append("tls.certificate and tls.key");
    }
    if (!access.isAuthenticated()) {
      line.append(access.isEncrypted() ? " without" : " and without");
      line.append(" token or client certificates");
      fix.append(access.isEncrypted() ? "" : ", and ");
      fix.append(listener).append(".token-file or tls.client-ca");
    }
    return Optional.of(line.append(fix).append("; or listen on 127.0.0.1").toString());
  }
}
