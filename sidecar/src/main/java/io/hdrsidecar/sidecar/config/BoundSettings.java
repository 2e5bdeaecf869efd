package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.input.DurationText;
import io.hdrsidecar.sidecar.journal.JournalMemory;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.StoreMemory;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings that bound what series cost, and for how long. */
final class BoundSettings {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3})%");
  private static final int MOST_PERCENT = 90;
  private static final Duration LEAST_EXPIRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_EXPIRY = Duration.ofDays(365);

  static final Setting<Duration> SERIES_IDLE_EXPIRY =
      new Setting<>(
          "series.idle-expiry",
          "15m",
          "duration, 1s to 365d; off for never",
          "How long a series may go without an interval before it ends as a whole.",
          BoundSettings::expiry);
  static final Setting<Integer> SERIES_MAX_LABEL_LENGTH =
      SettingTypes.integer(
          "series.max-label-length",
          "2048",
          64,
          65_536,
          "Most characters that names and values of a series' labels may have in sum.");
  static final Setting<LongUnaryOperator> SERIES_MAX_MEMORY =
      new Setting<>(
          "series.max-memory",
          HeapBudget.SERIES_PERCENT + "%",
          "size, 1MiB to 1024GiB, or 1% to 90% of the heap (-Xmx) beyond 12 MiB",
          "Most memory of all series; above it windows are given up, then labels, then counts.",
          text -> memory(text.strip()));

  /** What a setting is that nobody sets: as much as the heap has room for. */
  static final String AUTO = "auto";

  static final Setting<LongUnaryOperator> SERIES_MAX_COUNTERS =
      new Setting<>(
          "series.max-counters",
          AUTO,
          "number, 1024 to 2147483647; auto for what the heap (-Xmx) has room for, 33792 to 524288",
          "Most counters that lowest value, highest value and digits of a series may need.",
          BoundSettings::counters);
  static final Setting<Integer> INGEST_MAX_SERIES_IDS =
      SettingTypes.integer(
          "ingest.max-series-ids",
          "2097152",
          1,
          1_000_000_000,
          "Most series ids on all connections together, beyond the first 1024 of each.");

  static final List<Setting<?>> ALL =
      List.of(
          SERIES_IDLE_EXPIRY, SERIES_MAX_LABEL_LENGTH, SERIES_MAX_MEMORY, INGEST_MAX_SERIES_IDS);

  private BoundSettings() {}

  /** What is allowed and hardly meant. */
  static void addWarnings(SettingValues values, List<String> warnings) {
    Duration expiry = values.get(SERIES_IDLE_EXPIRY);
    for (WindowSpec window : values.get(Settings.WINDOWS)) {
      if (!expiry.isZero() && expiry.compareTo(window.span()) < 0) {
        warnings.add(
            SERIES_IDLE_EXPIRY.key()
                + ": shorter than the window "
                + window.name()
                + ", which ends with its series; raise it to "
                + window.name()
                + " or more");
      }
    }
  }

  private static LongUnaryOperator counters(String text) {
    if (text.strip().equals(AUTO)) {
      return StoreMemory::maxCounters;
    }
    int counters = SettingTypes.intWithin(text, 1024, Integer.MAX_VALUE);
    return heapBytes -> counters;
  }

  /** As {@code journal.max-queued} has it. */
  static LongUnaryOperator queued(String text) {
    if (text.strip().equals(AUTO)) {
      return JournalMemory::maxQueuedBytes;
    }
    long bytes = SettingTypes.sizeWithin(text, "64KiB", "4GiB");
    return heapBytes -> bytes;
  }

  /** A size, or a share of what the heap has beyond an idle sidecar; in bytes, by the heap's. */
  static LongUnaryOperator memory(String text) {
    Matcher share = SHARE.matcher(text);
    if (share.matches()) {
      int percent = Integer.parseInt(share.group(1));
      if (percent < 1 || percent > MOST_PERCENT) {
        throw new IllegalArgumentException("must be from 1% to " + MOST_PERCENT + "%: " + text);
      }
      return heapBytes -> HeapBudget.percentOf(percent, heapBytes);
    }
    long bytes = SettingTypes.sizeWithin(text, "1MiB", "1024GiB");
    return heapBytes -> bytes;
  }

  /** YAML reads a bare {@code off} as false. */
  private static Duration expiry(String text) {
    String stripped = text.strip();
    if (List.of("off", "0", "false").contains(stripped)) {
      return Duration.ZERO;
    }
    Duration expiry = DurationText.parse(stripped);
    if (!expiry.isZero()
        && (expiry.compareTo(LEAST_EXPIRY) < 0 || expiry.compareTo(LONGEST_EXPIRY) > 0)) {
      throw new IllegalArgumentException("must be from 1s to 365d, or off: " + text);
    }
    return expiry;
  }
}
