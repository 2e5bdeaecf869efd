package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.receive.SpillFolderConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings about what clients leave behind when they end. */
final class SpillSettings {
  /** Its variable is the client library's too: in a pod both mean one folder. */
  static final Setting<Optional<Path>> FOLDER =
      SettingTypes.optionalPath(
          "spill.folder",
          "path; empty for none",
          "Where clients of this sidecar leave what they could not deliver; shared with no other"
              + " sidecar.");

  static final Setting<Duration> SCAN_INTERVAL =
      SettingTypes.duration(
          "spill.scan-interval", "5s", "100ms", "1h", "How often the spill folder is looked into.");

  static final List<Setting<?>> ALL = List.of(FOLDER, SCAN_INTERVAL);

  private SpillSettings() {}

  static @Nullable SpillFolderConfig build(SettingValues values) {
    return values
        .get(FOLDER)
        .map(folder -> new SpillFolderConfig(folder, values.get(SCAN_INTERVAL)))
        .orElse(null);
  }
}
