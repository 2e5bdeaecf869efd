package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.Loopback;
import io.hdrsidecar.sidecar.access.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the listeners ask of those who connect, and whether that is enough for where they listen:
 * beyond loopback, what passes should be encrypted, and who sends or asks should have to prove it.
 */
final class ListenerRules {
  private final SettingValues values;
  private final List<String> problems;

  /** Contradictions are added to the problems. */
  ListenerRules(SettingValues values, List<String> problems) {
    this.values = values;
    this.problems = problems;
    if (isSet(AccessSettings.TLS_CERTIFICATE) != isSet(AccessSettings.TLS_KEY)) {
      problems.add("tls.certificate and tls.key: must be set together");
    } else if (isSet(AccessSettings.TLS_CLIENT_CA) && !isSet(AccessSettings.TLS_CERTIFICATE)) {
      problems.add("tls.client-ca: needs tls.certificate and tls.key");
    }
  }

  private boolean isSet(Setting<Optional<Path>> file) {
    return values.get(file).isPresent();
  }

  AccessConfig ingest() {
    return access(AccessSettings.INGEST_TLS, AccessSettings.INGEST_TOKEN_FILE);
  }

  AccessConfig http() {
    return access(AccessSettings.HTTP_TLS, AccessSettings.HTTP_TOKEN_FILE);
  }

  private AccessConfig access(Setting<TlsMode> mode, Setting<Optional<Path>> tokenFile) {
    return new AccessConfig(tls(mode), values.get(tokenFile).orElse(null));
  }

  private @Nullable TlsConfig tls(Setting<TlsMode> setting) {
    TlsMode mode = values.get(setting);
    Path certificate = values.get(AccessSettings.TLS_CERTIFICATE).orElse(null);
    Path key = values.get(AccessSettings.TLS_KEY).orElse(null);
    Path clientCa = values.get(AccessSettings.TLS_CLIENT_CA).orElse(null);
    if (mode == TlsMode.MUTUAL && clientCa == null) {
      problems.add(setting.key() + ": mutual needs tls.client-ca");
    }
    if (certificate == null || key == null) {
      if (mode == TlsMode.ON || mode == TlsMode.MUTUAL) {
        problems.add(setting.key() + ": needs tls.certificate and tls.key");
      }
      return null;
    }
    return mode == TlsMode.OFF
        ? null
        : new TlsConfig(certificate, key, mode == TlsMode.ON ? null : clientCa);
  }

  /** What should not be reachable the way it is, one line each. */
  List<String> exposures(AccessConfig ingest, AccessConfig http) {
    return List.of(
            exposure("ingest", values.get(Settings.INGEST_HOST), ingest),
            exposure("http", values.get(Settings.HTTP_HOST), http))
        .stream()
        .flatMap(Optional::stream)
        .toList();
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
