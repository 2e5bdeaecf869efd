package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaFileException;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    if (path == null) {
      return List.of();
    }
    if (!isRequired(values) && Files.notExists(path)) {
      missingFolder(path).ifPresent(problems::add);
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

  /**
   * A file may come later, into a folder that is mounted already; without one the path is wrong.
   */
  private static Optional<String> missingFolder(Path path) {
    Path folder = path.toAbsolutePath().getParent();
    return folder == null || Files.isDirectory(folder)
        ? Optional.empty()
        : Optional.of(
            FILE
                + ": no such folder: "
                + folder
                + ", in which "
                + path.getFileName()
                + " was expected; correct the path, or mount a volume there");
  }

  /**
   * The file of rules that is not there, and need not be.
   *
   * @param texts of the settings in force, by key
   */
  public static Optional<Path> awaitedFile(Map<String, String> texts) {
    return Optional.of(texts.getOrDefault(FILE, ""))
        .filter(text -> !text.isBlank())
        .map(text -> Path.of(text.strip()))
        .filter(Files::notExists);
  }

  private static List<String> windowNames(List<?> windows) {
    return windows.stream().map(window -> ((WindowSpec) window).name()).toList();
  }
}
