package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import java.time.Duration;

/** How the process starts, ends and changes. */
public record LifeConfig(
    @Setting(
            key = "strict",
            byDefault = "false",
            help =
                "Refuse to start, instead of warning, when listening beyond loopback without TLS,"
                    + " or without token or client certificates, and when settings allow more"
                    + " memory than the heap has.")
        boolean strict,
    @Setting(
            key = "drain",
            byDefault = "0s",
            range = "0s to 10m",
            help = "On SIGTERM: time for clients to finish, half of it, and for one more scrape.",
            reloadable = true)
        Duration drain,
    @Setting(
            key = "reload",
            byDefault = "false",
            help = "Read the configuration again on SIGHUP and POST /-/reload.")
        boolean reload,
    @Setting(
            key = "reload-interval",
            byDefault = "0s",
            range = "0s to 1h",
            help =
                "How often to look whether the configuration file, sla.file or statsd.mapping-file"
                    + " has changed, and reload; 0s for never. Needs reload.")
        Duration reloadInterval) {}
