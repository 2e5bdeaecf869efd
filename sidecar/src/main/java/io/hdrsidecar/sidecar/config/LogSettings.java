package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.logs.LogFormat;
import io.hdrsidecar.sidecar.logs.LogLevel;
import java.util.List;

/** How the sidecar logs, on standard error. */
final class LogSettings {
  static final Setting<LogFormat> FORMAT =
      SettingTypes.oneOf(
          "log.format",
          "logfmt",
          List.of(LogFormat.values()),
          "Lines of the log as key=value, or as JSON objects.");

  static final Setting<LogLevel> LEVEL =
      SettingTypes.oneOf(
          "log.level",
          "info",
          List.of(LogLevel.values()),
          "From which severity on lines are logged.");

  static final List<Setting<?>> ALL = List.of(FORMAT, LEVEL);

  private LogSettings() {}

  static LogConfig build(SettingValues values) {
    return new LogConfig(values.get(FORMAT), values.get(LEVEL));
  }
}
