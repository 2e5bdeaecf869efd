package io.hdrsidecar.sidecar.statsd;

import java.util.Locale;

/** The ways in which lines come. The name in lower case is the value of the label. */
enum StatsdSocket {
  UDP,
  UNIX_DATAGRAM,
  UNIX_STREAM;

  /** Value of the {@code socket} label. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
