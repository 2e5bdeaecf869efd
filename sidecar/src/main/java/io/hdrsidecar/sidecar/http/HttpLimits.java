package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.time.Duration;
import java.util.Map;

/** What those who ask may cost. */
public record HttpLimits(
    @Setting(
            key = "http.max-connections",
            byDefault = "256",
            range = "1 to 100000",
            help = "Most HTTP connections at a time.")
        int maxConnections,
    @Setting(
            key = "http.max-header",
            byDefault = "16KiB",
            range = "1KiB to 1MiB",
            help = "Longest request line, and most headers.")
        int maxHeaderBytes,
    @Setting(
            key = "http.header-timeout",
            byDefault = "10s",
            range = "1s to 10m",
            help = "How long a new connection may take to send its first request's headers.")
        Duration headerTimeout,
    // This is what ends those who send a body, or read an answer, byte by byte.
    @Setting(
            key = "http.request-timeout",
            byDefault = "60s",
            range = "1s to 1h",
            help =
                "How long a request may take, from the end of its headers to the end of its"
                    + " answer.")
        Duration requestTimeout,
    @Setting(
            key = "http.idle-timeout",
            byDefault = "120s",
            range = "1s to 1h",
            help = "How long a connection may wait for its next request.")
        Duration idleTimeout,
    @Setting(
            key = "query.max-series",
            byDefault = "10000",
            range = "1 to 10000000",
            help = "Most series one query may look at.")
        int maxSelectedSeries,
    @Setting(
            key = "http.max-streams",
            byDefault = "64",
            range = "0 to 10000",
            help = "Most live streams at a time, which are among http.max-connections.")
        int maxStreams) {
  /** What {@code serve} uses unless told otherwise. */
  public static HttpLimits defaults() {
    return SettingRecords.of(HttpLimits.class, Map.of());
  }
}
