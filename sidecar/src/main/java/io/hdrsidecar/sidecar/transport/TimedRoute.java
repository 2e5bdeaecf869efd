package io.hdrsidecar.sidecar.transport;

import io.hdrsidecar.series.Labels;
import java.util.Locale;

/** What is timed, there and back. */
public enum TimedRoute {
  /** One byte to a thread of this process that sends it back, over loopback. */
  PING_TCP("a byte, TCP"),
  /** The same over a Unix socket. */
  PING_UNIX("a byte, Unix socket"),
  /** From the first byte of an INTERVAL of one value to the last of its ACK. */
  ACK_TCP("INTERVAL to ACK, TCP"),
  /** The same over a Unix socket. */
  ACK_UNIX("INTERVAL to ACK, Unix socket"),
  /** From {@code record} to a page of {@code /metrics} that counts the value. */
  PAGE("record to /metrics");

  /** Name of the series of round trips; the label {@value #LABEL} says which. */
  public static final String SERIES_NAME = "demo_transport";

  private static final String LABEL = "route";

  private final String title;

  TimedRoute(String title) {
    this.title = title;
  }

  /** What people read. */
  public String title() {
    return title;
  }

  /** Selector of its series in the HTTP API. */
  public String selector() {
    return SERIES_NAME + labels();
  }

  Labels labels() {
    return Labels.of(LABEL, name().toLowerCase(Locale.ROOT));
  }
}
