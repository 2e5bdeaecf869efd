package io.hdrsidecar.sidecar.access;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of a listener that speaks TLS, all PEM.
 *
 * @param certificate its certificate, followed by the chain
 * @param key private key of the certificate, not encrypted
 * @param clientCa who may vouch for clients, which then must show a certificate; null when none is
 *     asked for
 */
public record TlsConfig(Path certificate, Path key, @Nullable Path clientCa) {}
