package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of a program: flag before environment before file before default.
 *
 * <p>An unknown key in the file is a mistake and refused, and so is an unknown variable {@code
 * HDR_SIDECAR_*}, but for those that {@link EnvironmentNames} expects.
 */
public final class SettingReader {
  private static final int MAX_FILE_BYTES = 1 << 20;

  private SettingReader() {}

  /**
   * The values of settings.
   *
   * @param settings those of the program
   * @param flags from flag, such as {@code --ingest-port}, to text; others are ignored
   * @param environment the environment variables
   * @param file the YAML file; null takes the one named by {@code HDR_SIDECAR_CONFIG}, if any
   * @param heap what limits without a number of their own follow from
   * @param problems gets one line for each mistake; with any, the values are not whole
   */
  public static SettingValues read(
      List<DeclaredSetting> settings,
      Map<String, String> flags,
      Map<String, String> environment,
      @Nullable Path file,
      HeapBudget heap,
      List<String> problems) {
    SmallRyeConfigBuilder builder =
        new SmallRyeConfigBuilder()
            .withSources(
                ConfigSources.flags(settings, flags),
                ConfigSources.environment(settings, environment));
    String namedBy = file == null ? ConfigLoader.FILE_VARIABLE : "--config";
    FileLines lines = addFile(settings, builder, namedBy, fileIn(environment, file), problems);
    for (String variable : EnvironmentNames.unknown(settings, environment)) {
      String nearest =
          EnvironmentNames.nearest(settings, variable)
              .map(name -> "; the nearest is " + name)
              .orElse("");
      problems.add(variable + ": no such setting (from the environment)" + nearest);
    }
    return new SettingValues(settings, builder.build(), lines, heap.heapBytes(), problems);
  }

  /** The file that is read: this one, or the one named by the environment. */
  static @Nullable Path fileIn(Map<String, String> environment, @Nullable Path file) {
    String name = environment.getOrDefault(ConfigLoader.FILE_VARIABLE, "");
    return file != null || name.isBlank() ? file : Path.of(name.strip());
  }

  private static FileLines addFile(
      List<DeclaredSetting> settings,
      SmallRyeConfigBuilder builder,
      String namedBy,
      @Nullable Path file,
      List<String> problems) {
    if (file == null) {
      return FileLines.NONE;
    }
    try {
      String text = WholeFile.text(file, MAX_FILE_BYTES);
      List<String> found = new ArrayList<>();
      FileLines lines = FileLines.of(file, text, found);
      if (found.isEmpty()) {
        addKeys(settings, builder, ConfigSources.file(lines), lines, problems);
      }
      problems.addAll(found);
      return lines;
    } catch (IOException e) {
      problems.add(namedBy + ": " + CauseText.of(e));
      return FileLines.NONE;
    }
  }

  private static void addKeys(
      List<DeclaredSetting> settings,
      SmallRyeConfigBuilder builder,
      ConfigSource file,
      FileLines lines,
      List<String> problems) {
    for (String key : ConfigSources.unknownKeys(settings, file)) {
      problems.add(key + ": no such setting (from " + lines.describe(key) + ")");
    }
    builder.withSources(file);
  }
}
