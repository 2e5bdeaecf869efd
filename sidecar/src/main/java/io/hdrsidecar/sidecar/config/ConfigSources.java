package io.hdrsidecar.sidecar.config;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/** Flags, environment and file as sources of one shape: key to text. The higher ordinal wins. */
final class ConfigSources {
  private static final int FLAG_ORDINAL = 500;
  private static final int ENVIRONMENT_ORDINAL = 300;
  private static final int FILE_ORDINAL = 100;
  private static final String FLAGS = "flag";
  private static final String ENVIRONMENT = "environment variable";

  private ConfigSources() {}

  /** From flag, such as {@code --ingest-port}, to text. */
  static ConfigSource flags(Map<String, String> byFlag) {
    return source(byFlag, FLAGS, FLAG_ORDINAL);
  }

  static ConfigSource environment(Map<String, String> byVariable) {
    return source(byVariable, ENVIRONMENT, ENVIRONMENT_ORDINAL);
  }

  private static ConfigSource source(Map<String, String> given, String name, int ordinal) {
    Map<String, String> byKey = new HashMap<>();
    for (Setting<?> setting : Settings.all()) {
      String text = given.get(name.equals(FLAGS) ? setting.flag() : setting.environmentVariable());
      if (text != null) {
        byKey.put(setting.key(), text);
      }
    }
    return new PropertiesConfigSource(byKey, name, ordinal);
  }

  /**
   * The file's keys and texts; lists are joined by commas.
   *
   * @throws IOException when the file cannot be read
   * @throws RuntimeException when it is not YAML
   */
  static ConfigSource file(Path path) throws IOException {
    return new YamlConfigSource("file " + path, Files.readString(path), FILE_ORDINAL);
  }

  /** Keys of a file that are not settings. */
  static List<String> unknownKeys(ConfigSource file) {
    return file.getPropertyNames().stream()
        .map(name -> name.replaceAll("\\[\\d+]", ""))
        .distinct()
        .filter(name -> Settings.all().stream().noneMatch(s -> s.key().equals(name)))
        .sorted()
        .toList();
  }

  /** Where a text came from, for people. */
  static String describe(Setting<?> setting, @Nullable String sourceName) {
    return switch (Objects.requireNonNullElse(sourceName, "default")) {
      case FLAGS -> "flag " + setting.flag();
      case ENVIRONMENT -> "environment variable " + setting.environmentVariable();
      default -> Objects.requireNonNullElse(sourceName, "the default");
    };
  }
}
