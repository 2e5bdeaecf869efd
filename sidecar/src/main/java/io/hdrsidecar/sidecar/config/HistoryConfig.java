package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import io.hdrsidecar.sidecar.setting.SizeOrShare;
import io.hdrsidecar.sidecar.setting.SizeText;

/** What is kept of the past, and where else it is read. */
public record HistoryConfig(
    @Setting(
            key = "history.max-memory",
            byDefault = HeapBudget.HISTORY_PERCENT + "%",
            form =
                "size, 1MiB to 64GiB, or 1% to 90% of the heap (-Xmx) beyond 12 MiB; 0B for none",
            help =
                "Memory for full histograms of recent intervals; when it is full, neighbours in"
                    + " time are added together.",
            parser = SizeShareOrNothing.class)
        long maxBytes,
    @Setting(
            key = "history.journal",
            byDefault = "on",
            help =
                "Whether questions about the past read the journal, too; each of its files gets an"
                    + " index.")
        boolean readsJournal) {
  /** As for the memory of series, or 0. */
  static final class SizeShareOrNothing implements SettingParser {
    @Override
    public Long parse(String text, long heapBytes) {
      String stripped = text.strip();
      if (stripped.endsWith("%")) {
        return new SizeOrShare().parse(stripped, heapBytes);
      }
      long bytes = SizeText.parse(stripped);
      if (bytes != 0 && (bytes < 1L << 20 || bytes > 64L << 30)) {
        throw new IllegalArgumentException("must be 0B, or from 1MiB to 64GiB: " + text);
      }
      return bytes;
    }
  }
}
