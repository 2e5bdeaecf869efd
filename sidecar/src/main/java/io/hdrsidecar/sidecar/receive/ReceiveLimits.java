package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.time.Duration;
import java.util.Map;

/**
 * The costs that clients may cause. A connection holds at most one frame and a read's worth of
 * bytes.
 */
public record ReceiveLimits(
    @Setting(
            key = "ingest.max-body",
            byDefault = "1MiB",
            range = "4KiB to 64MiB",
            help = "Longest body of a frame from a client.")
        int maxBodyBytes,
    @Setting(
            key = "ingest.max-in-flight",
            byDefault = "4096",
            range = "1 to 1000000",
            help = "Most intervals a client may have sent without an answer.")
        int maxInFlight,
    @Setting(
            key = "ingest.max-connections",
            byDefault = "1000",
            range = "1 to 100000",
            help = "Most client connections at a time.")
        int maxConnections,
    @Setting(
            key = "ingest.max-series-per-connection",
            byDefault = "1048576",
            range = "1 to 10000000",
            help = "Most series ids on one connection.")
        int maxSeriesPerConnection,
    @Setting(
            key = "ingest.max-series-ids",
            byDefault = "2097152",
            range = "1 to 1000000000",
            help =
                "Most series ids on all connections together, beyond the first "
                    + IdBudget.RESERVED_IDS
                    + " of each.")
        int maxSeriesIds,
    @Setting(
            key = "ingest.hello-timeout",
            byDefault = "10s",
            range = "1s to 10m",
            help = "How long a connection may take to say HELLO.")
        Duration helloTimeout,
    @Setting(
            key = "ingest.idle-timeout",
            byDefault = "5m",
            range = "1s to 24h",
            help = "How long a connection may go without a whole frame.")
        Duration idleTimeout,
    @Setting(
            key = "ingest.max-instances",
            byDefault = "100000",
            range = "1 to 10000000",
            help =
                "Most disconnected client instances remembered, so that what they resend is known;"
                    + " a quarter of them of one address. Above that, new ones are refused, unless"
                    + " some have been away for an hour.")
        int maxInstances,
    @Setting(
            key = "ingest.instance-memory",
            byDefault = "24h",
            range = "1s to 365d",
            help = "How long a disconnected client instance is remembered.")
        Duration instanceMemory) {
  private static final int MIN_BODY_BYTES = 4 << 10;

  /** The same, with bodies of so many bytes at most, or of the least that is allowed. */
  ReceiveLimits within(long bytes) {
    return new ReceiveLimits(
        (int) Math.max(MIN_BODY_BYTES, Math.min(maxBodyBytes, bytes)),
        maxInFlight,
        maxConnections,
        maxSeriesPerConnection,
        maxSeriesIds,
        helloTimeout,
        idleTimeout,
        maxInstances,
        instanceMemory);
  }

  /** The limits that {@code serve} uses unless told otherwise. */
  public static ReceiveLimits defaults() {
    return SettingRecords.of(ReceiveLimits.class, Map.of());
  }
}
