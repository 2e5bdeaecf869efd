package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.SettingReader;
import io.hdrsidecar.sidecar.config.SettingValues;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of the log, of commands that have no other settings of a sidecar. */
final class LogSettings {
  /** {@code log.format} and {@code log.level}. */
  static final List<DeclaredSetting> ALL = SettingRecords.settings(LogConfig.class);

  private LogSettings() {}

  /**
   * How to log: flag before environment before default.
   *
   * @param flags from flag to text; may be empty
   * @param environment the environment variables; all but those of the log are ignored
   * @throws ConfigException with every problem
   */
  static LogConfig read(Map<String, String> flags, Map<String, String> environment)
      throws ConfigException {
    Map<String, String> ofLog = new HashMap<>(environment);
    ofLog.keySet().retainAll(ALL.stream().map(DeclaredSetting::environmentVariable).toList());
    List<String> problems = new ArrayList<>();
    SettingValues values =
        SettingReader.read(ALL, flags, ofLog, null, HeapBudget.ofThisProcess(), problems);
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return values.get(LogConfig.class);
  }

  /** The same of the environment alone, for programs that are told of trouble only. */
  static LogConfig quiet(Map<String, String> environment) throws ConfigException {
    return read(Map.of(), quietly(environment));
  }

  /** The environment, with warnings as the least that is logged unless it says otherwise. */
  static Map<String, String> quietly(Map<String, String> environment) {
    Map<String, String> quiet = new HashMap<>(environment);
    quiet.putIfAbsent("HDR_SIDECAR_LOG_LEVEL", "warn");
    return quiet;
  }
}
