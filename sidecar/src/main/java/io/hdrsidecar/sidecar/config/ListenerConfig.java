package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the listeners ask of those who connect; {@link ListenerRules} says what follows. */
public record ListenerConfig(
    @Setting(
            key = "ingest.tls",
            form = TlsMode.FORM,
            help = "TLS for clients over TCP.",
            parser = TlsMode.Parser.class,
            reloadable = true)
        TlsMode ingestTls,
    @Setting(
            key = "ingest.token-file",
            form = TOKENS,
            help = "Tokens of which clients must send one; read again on change.",
            reloadable = true)
        @Nullable Path ingestTokens,
    @Setting(
            key = "http.tls",
            form = TlsMode.FORM,
            help = "TLS for scrapes and queries.",
            parser = TlsMode.Parser.class,
            reloadable = true)
        TlsMode httpTls,
    @Setting(
            key = "http.token-file",
            form = TOKENS,
            help =
                "Bearer tokens of which requests must show one, but for /-/healthy, /-/ready and"
                    + " the explorer's files; read again on change.",
            reloadable = true)
        @Nullable Path httpTokens,
    @Setting(
            key = "tls.certificate",
            form = PEM,
            help = "Certificate of this sidecar, with its chain; taken up when renewed.",
            reloadable = true)
        @Nullable Path certificate,
    @Setting(
            key = "tls.key",
            form = PEM,
            help = "Private key of tls.certificate, not encrypted.",
            reloadable = true)
        @Nullable Path key,
    @Setting(
            key = "tls.client-ca",
            form = PEM,
            help = "Authorities that vouch for clients, which then must show a certificate.",
            reloadable = true)
        @Nullable Path clientCa) {
  static final String TOKENS = "file, one token in a line; empty for none";
  static final String PEM = "PEM file; empty for none";
}
