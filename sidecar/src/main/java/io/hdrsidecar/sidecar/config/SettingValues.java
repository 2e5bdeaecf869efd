package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The value of every setting, or the problems found on the way to it. */
public final class SettingValues {
  private final Map<String, @Nullable Object> values = new HashMap<>();
  private final Map<String, String> texts = new TreeMap<>();
  private final Set<String> given = new HashSet<>();
  private final long heapBytes;

  /** Reads all settings; what cannot be read is added to the problems. */
  SettingValues(
      List<DeclaredSetting> settings,
      SmallRyeConfig config,
      FileLines file,
      long heapBytes,
      List<String> problems) {
    this.heapBytes = heapBytes;
    for (DeclaredSetting setting : settings) {
      ConfigValue found = config.getConfigValue(setting.key());
      boolean unset = found.getValue() == null;
      if (!unset) {
        given.add(setting.key());
      }
      String text = unset ? setting.defaultText() : found.getValue();
      texts.put(setting.key(), text);
      try {
        values.put(setting.key(), setting.parser().parse(text, heapBytes));
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
  public Map<String, String> texts() {
    return texts;
  }

  /** Whether a setting has a text from anywhere, were it empty. */
  boolean isGiven(String key) {
    return given.contains(key);
  }

  /** The text of a setting; that of nobody if this program does not have it. */
  String textOf(DeclaredSetting setting) {
    return texts.getOrDefault(setting.key(), setting.defaultText());
  }

  /** The value of a setting, unless it has none or could not be read. */
  public <T> Optional<T> find(String key, Class<T> type) {
    return Optional.ofNullable(type.cast(values.get(key)));
  }

  /** A record with these values; only when there were no problems. */
  public <R extends Record> R get(Class<R> type, Object... given) {
    return Objects.requireNonNull(getIfSet(type, given), type::getName);
  }

  /** The same, or null when its first setting has no value. */
  public <R extends Record> @Nullable R getIfSet(Class<R> type, Object... given) {
    return SettingRecords.build(type, this::value, given);
  }

  /** A setting that a program does not have is as if nobody had set it. */
  private @Nullable Object value(DeclaredSetting setting) {
    return texts.containsKey(setting.key())
        ? values.get(setting.key())
        : setting.parser().parse(setting.defaultText(), heapBytes);
  }
}
