package io.hdrsidecar.sidecar.logs;

import io.hdrsidecar.sidecar.setting.Setting;

/** How the process logs, on standard error. */
public record LogConfig(
    @Setting(
            key = "log.format",
            byDefault = "logfmt",
            help = "Lines of the log as key=value, or as JSON objects.")
        LogFormat format,
    @Setting(
            key = "log.level",
            byDefault = "info",
            help = "From which severity on lines are logged.",
            reloadable = true)
        LogLevel level) {
  /** What holds unless somebody wants it otherwise. */
  public static final LogConfig DEFAULT = new LogConfig(LogFormat.LOGFMT, LogLevel.INFO);
}
