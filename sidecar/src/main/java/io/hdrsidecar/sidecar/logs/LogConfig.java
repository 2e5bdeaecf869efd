package io.hdrsidecar.sidecar.logs;

/**
 * How the process logs.
 *
 * @param format of each line
 * @param level from which severity on
 */
public record LogConfig(LogFormat format, LogLevel level) {
  /** What holds unless somebody wants it otherwise. */
  public static final LogConfig DEFAULT = new LogConfig(LogFormat.LOGFMT, LogLevel.INFO);
}
