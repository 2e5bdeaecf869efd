package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.sidecar.setting.Setting;
import java.time.Duration;

/** How the process ends, and where it is looked at. */
record GatewayLife(
    @Setting(
            key = "http.host",
            byDefault = "127.0.0.1",
            form = "address",
            help = "Where /metrics, /-/healthy and /-/ready are served; loopback by default.")
        String httpHost,
    @Setting(
            key = "http.port",
            byDefault = "9925",
            range = "0 to 65535",
            help = "Port for scrapes and probes; 0 picks a free one.")
        int httpPort,
    @Setting(
            key = "strict",
            byDefault = "false",
            help =
                "Refuse to start, instead of warning, when listening beyond loopback without TLS,"
                    + " or without token or client certificates.")
        boolean strict,
    @Setting(
            key = "drain",
            byDefault = "10s",
            range = "0s to 10m",
            help =
                "On SIGTERM: time for Kafka to acknowledge what was received; nothing more is"
                    + " read.")
        Duration drain) {}
