package io.hdrsidecar.sidecar.config;

import java.util.List;

/** Where the history comes from, beside {@code history.max-memory}. */
final class HistorySettings {
  static final Setting<Boolean> HISTORY_JOURNAL =
      SettingTypes.onOff(
          "history.journal",
          "on",
          "Whether questions about the past read the journal, too; each of its files gets an index.");

  static final List<Setting<?>> ALL = List.of(HISTORY_JOURNAL);

  private HistorySettings() {}
}
