package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** The settings about service level agreements, and about the history they can be judged on. */
final class SlaSettings {
  static final Setting<Optional<Path>> SLA_FILE =
      SettingTypes.optionalPath(
          "sla.file",
          "YAML file; empty for none",
          "Rules of service level agreements; read again on reload.");

  static final Setting<Boolean> SLA_REQUIRED =
      SettingTypes.onOff(
          "sla.required",
          "on",
          "Whether sla.file must be there; off: there are no rules while it is not.");

  static final Setting<LongUnaryOperator> HISTORY_MAX_MEMORY =
      new Setting<>(
          "history.max-memory",
          HeapBudget.HISTORY_PERCENT + "%",
          "size, 1MiB to 64GiB, or 1% to 90% of the heap (-Xmx) beyond 12 MiB; 0B for none",
          "Memory for full histograms of recent intervals; when it is full, neighbours in time are"
              + " added together.",
          SlaSettings::historyBytes);

  static final List<Setting<?>> ALL = List.of(SLA_FILE, SLA_REQUIRED, HISTORY_MAX_MEMORY);

  private SlaSettings() {}

  private static LongUnaryOperator historyBytes(String text) {
    String stripped = text.strip();
    if (stripped.endsWith("%")) {
      return BoundSettings.memory(stripped);
    }
    long bytes = SizeText.parse(stripped);
    if (bytes != 0 && (bytes < 1L << 20 || bytes > 64L << 30)) {
      throw new IllegalArgumentException("must be 0B, or from 1MiB to 64GiB: " + text);
    }
    return heapBytes -> bytes;
  }
}
