package io.hdrsidecar.sidecar.access;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a listener asks of those who connect.
 *
 * @param tls null for a listener that speaks plainly
 * @param tokenFile tokens of which one must be shown, one in a line; null when none is asked for
 */
public record AccessConfig(@Nullable TlsConfig tls, @Nullable Path tokenFile) {
  /** Asks for nothing. */
  public static final AccessConfig OPEN = new AccessConfig(null, null);

  /** Whether what passes is encrypted. */
  public boolean isEncrypted() {
    return tls != null;
  }

  /** Whether any of it is in files, which may change. */
  public boolean readsFiles() {
    return tls != null || tokenFile != null;
  }

  /** Whether those who connect have to prove who they are. */
  public boolean isAuthenticated() {
    return tokenFile != null || (tls != null && tls.clientCa() != null);
  }
}
