package io.hdrsidecar.sidecar.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The settings about service level agreements, and about the history they can be judged on. */
final class SlaSettings {
  static final Setting<Optional<Path>> SLA_FILE =
      SettingTypes.optionalPath(
          "sla.file",
          "YAML file; empty for none",
          "Rules of service level agreements; read again on reload.");

  static final Setting<Long> HISTORY_MAX_MEMORY =
      SettingTypes.longSize(
          "history.max-memory",
          "64MiB",
          "0B",
          "64GiB",
          "Memory for full histograms of recent intervals; when it is full, neighbours in time are"
              + " added together. 0B keeps none.");

  static final List<Setting<?>> ALL = List.of(SLA_FILE, HISTORY_MAX_MEMORY);

  private SlaSettings() {}
}
