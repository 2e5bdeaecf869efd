package io.hdrsidecar.sidecar.config;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The value of every setting, or the problems found on the way to it. */
final class SettingValues {
  private final Map<Setting<?>, Object> values = new HashMap<>();
  private final Map<String, String> texts = new TreeMap<>();

  /** Reads all settings; what cannot be read is added to the problems. */
  SettingValues(SmallRyeConfig config, FileLines file, List<String> problems) {
    for (Setting<?> setting : Settings.all()) {
      ConfigValue found = config.getConfigValue(setting.key());
      boolean unset = found.getValue() == null;
      String text = unset ? setting.defaultText() : found.getValue();
      texts.put(setting.key(), text);
      try {
        values.put(setting, setting.parser().apply(text));
      } catch (IllegalArgumentException e) {
        problems.add(
            setting.key()
                + ": "
                + e.getMessage()
                + " (from "
                + ConfigSources.describe(setting, found, file)
                + "; expected: "
                + setting.form()
                + ")");
      }
    }
  }

  /** The text of every setting, by key. */
  Map<String, String> texts() {
    return texts;
  }

  /** The value of a setting, unless it could not be read. */
  <T> Optional<T> find(Setting<T> setting) {
    return values.containsKey(setting) ? Optional.of(get(setting)) : Optional.empty();
  }

  /** The value of a setting; only when there were no problems. */
  @SuppressWarnings("unchecked") // what a setting's own parser gave
  <T> T get(Setting<T> setting) {
    Object value = values.get(setting);
    if (value == null) {
      throw new IllegalStateException("setting is not in the list: " + setting.key());
    }
    return (T) value;
  }
}
