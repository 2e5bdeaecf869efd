package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaFileException;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the rules of service level agreements stand. */
public record SlaConfig(
    @Setting(
            key = SlaConfig.FILE,
            form = "YAML file; empty for none",
            help = "Rules of service level agreements; read again on reload.",
            reloadable = true)
        @Nullable Path file,
    @Setting(
            key = SlaConfig.REQUIRED,
            byDefault = "on",
            help = "Whether the start needs sla.file and its rules; off: it goes on without them.",
            reloadable = true)
        boolean required) {
  static final String FILE = "sla.file";
  static final String REQUIRED = "sla.required";

  /** Whether the program does not start without its rules. */
  public static boolean isRequired(SettingValues values) {
    return values.find(REQUIRED, Boolean.class).orElse(true);
  }

  /**
   * The rules; every problem in their file stands beside those of the settings.
   *
   * @param problems gets one line for each
   */
  public static List<SlaRule> rules(SettingValues values, List<String> problems) {
    Path path = values.find(FILE, Path.class).orElse(null);
    if (path == null || (!isRequired(values) && Files.notExists(path))) {
      return List.of();
    }
    try {
      return SlaFile.read(
          path,
          values.find("windows", List.class).map(windows -> windowNames(windows)).orElse(null));
    } catch (SlaFileException e) {
      e.problems().forEach(problem -> problems.add(FILE + ": " + problem));
      return List.of();
    }
  }

  private static List<String> windowNames(List<?> windows) {
    return windows.stream().map(window -> ((WindowSpec) window).name()).toList();
  }
}
