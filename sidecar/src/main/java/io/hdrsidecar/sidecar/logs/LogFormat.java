package io.hdrsidecar.sidecar.logs;

import java.util.logging.Formatter;

/** How lines are written. */
public enum LogFormat {
  /** {@code key=value}, values with blanks in quotes. */
  LOGFMT,
  /** One JSON object in a line. */
  JSON;

  Formatter formatter() {
    return this == JSON ? new JsonLines() : new LogfmtLines();
  }
}
