package io.hdrsidecar.sidecar.config;

import static java.util.stream.Collectors.joining;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Flags, environment and file as sources of one shape: key to text. The higher ordinal wins. */
final class ConfigSources {
  private static final int FLAG_ORDINAL = 500;
  private static final int ENVIRONMENT_ORDINAL = 300;
  private static final int FILE_ORDINAL = 100;

  private ConfigSources() {}

  /** From flag, such as {@code --ingest-port}, to text. */
  static ConfigSource flags(List<DeclaredSetting> settings, Map<String, String> byFlag) {
    return source(settings, byFlag, DeclaredSetting::flag, "flags", FLAG_ORDINAL);
  }

  /** From variable, such as {@code HDR_SIDECAR_INGEST_PORT}, to text. */
  static ConfigSource environment(List<DeclaredSetting> settings, Map<String, String> byVariable) {
    return source(
        settings,
        byVariable,
        DeclaredSetting::environmentVariable,
        "environment",
        ENVIRONMENT_ORDINAL);
  }

  private static ConfigSource source(
      List<DeclaredSetting> settings,
      Map<String, String> given,
      Function<DeclaredSetting, String> name,
      String source,
      int ordinal) {
    Map<String, String> byKey = new HashMap<>();
    for (DeclaredSetting setting : settings) {
      String text = given.get(name.apply(setting));
      if (text != null) {
        byKey.put(setting.key(), text);
      }
    }
    return new PropertiesConfigSource(byKey, source, ordinal);
  }

  /**
   * A file's keys and texts; lists are joined by commas.
   *
   * @param file in which no problem was found
   */
  static ConfigSource file(FileLines file) {
    Map<String, String> byKey = new HashMap<>();
    if (file.texts() instanceof Map<?, ?> root) {
      addTexts("", root, byKey);
    }
    return new PropertiesConfigSource(byKey, "file", FILE_ORDINAL);
  }

  private static void addTexts(String prefix, Map<?, ?> mapping, Map<String, String> byKey) {
    mapping.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner) {
            addTexts(prefix + key + ".", inner, byKey);
          } else if (value instanceof List<?> list) {
            byKey.put(prefix + key, list.stream().map(String::valueOf).collect(joining(",")));
          } else if (value != null) {
            byKey.put(prefix + key, value.toString());
          }
        });
  }

  /** Keys of a file that are not settings. */
  static List<String> unknownKeys(List<DeclaredSetting> settings, ConfigSource file) {
    return file.getPropertyNames().stream()
        .filter(name -> settings.stream().noneMatch(s -> s.key().equals(name)))
        .sorted()
        .toList();
  }

  /** Where a text came from, for people. */
  static String describe(DeclaredSetting setting, ConfigValue found, FileLines file) {
    return switch (found.getConfigSourceOrdinal()) {
      case FLAG_ORDINAL -> "flag " + setting.flag();
      case ENVIRONMENT_ORDINAL -> "environment variable " + setting.environmentVariable();
      case FILE_ORDINAL -> file.describe(setting.key());
      default -> "the default";
    };
  }
}
