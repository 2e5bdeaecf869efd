package io.hdrsidecar.sidecar.limits;

import io.hdrsidecar.sidecar.input.DurationText;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.hdrsidecar.sidecar.setting.SettingTypes;
import io.hdrsidecar.sidecar.setting.SizeOrShare;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Limits and windows of the store. Label sets above the limit share overflow series, a few for each
 * name (see {@link io.hdrsidecar.internal.interval.OverflowLabels}), and at most as many again in
 * all.
 */
public record MergeConfig(
    @Setting(
            key = "series.max",
            byDefault = "10000",
            range = "1 to 10000000",
            help = "Most series; further label sets of a name share series with overflow=\"true\".")
        int maxSeries,
    @Setting(
            key = "series.max-layouts",
            byDefault = "4",
            range = "1 to 64",
            help =
                "Most bucket layouts kept apart in one series: lowest value and digits, or a scale"
                    + " of base-2 buckets, or bounds.")
        int maxLayouts,
    @Setting(
            key = "series.max-counters",
            byDefault = SettingParser.AUTO,
            form =
                "number, 1024 to 2147483647; auto for what the heap (-Xmx) has room for, 33792 to"
                    + " 524288",
            help =
                "Most counters that lowest value, highest value and digits of a series may need.",
            parser = CountersParser.class)
        int maxCounters,
    @Setting(
            key = "windows",
            byDefault = "1m",
            form = "list of spans, each with its step if wanted: 1m,5m/5s; empty for none",
            help = "Sliding windows for percentile gauges.",
            parser = WindowsParser.class)
        List<WindowSpec> windows,
    @Setting(
            key = "series.max-label-length",
            byDefault = "2048",
            range = "64 to 65536",
            help = "Most characters that names and values of a series' labels may have in sum.")
        int maxLabelLength,
    @Setting(
            key = "series.idle-expiry",
            byDefault = "15m",
            form = "duration, 1s to 365d; off for never",
            help = "How long a series may go without an interval before it ends as a whole.",
            parser = Expiry.class)
        Duration idleExpiry,
    @Setting(
            key = "series.max-memory",
            byDefault = HeapBudget.SERIES_PERCENT + "%",
            form = "size, 1MiB to 1024GiB, or 1% to 90% of the heap (-Xmx) beyond 12 MiB",
            help =
                "Most memory of all series; above it windows are given up, then labels, then"
                    + " counts.",
            parser = SizeOrShare.class)
        long maxMemoryBytes) {
  private static final MergeConfig DEFAULTS =
      SettingRecords.of(MergeConfig.class, Map.of()).withMaxMemoryBytes(Long.MAX_VALUE);

  /** Takes a copy of the windows, and throws IllegalArgumentException if two have one name. */
  public MergeConfig {
    windows = List.copyOf(windows);
    WindowSpec.requireDistinctNames(windows);
  }

  /** With as much memory as the other limits allow. */
  public MergeConfig(
      int maxSeries,
      int maxLayouts,
      int maxCounters,
      List<WindowSpec> windows,
      int maxLabelLength,
      Duration idleExpiry) {
    this(maxSeries, maxLayouts, maxCounters, windows, maxLabelLength, idleExpiry, Long.MAX_VALUE);
  }

  /** The same, labels of 2048 characters at most, and series that end after 15 minutes. */
  public MergeConfig(int maxSeries, int maxLayouts, int maxCounters, List<WindowSpec> windows) {
    this(maxSeries, maxLayouts, maxCounters, windows, DEFAULTS.maxLabelLength, DEFAULTS.idleExpiry);
  }

  /** The same settings, with so much memory. */
  public MergeConfig withMaxMemoryBytes(long bytes) {
    return new MergeConfig(
        maxSeries, maxLayouts, maxCounters, windows, maxLabelLength, idleExpiry, bytes);
  }

  /**
   * 10,000 series, 4 layouts each, one window of a minute, the end after 15 idle minutes, and as
   * much memory as these take.
   */
  public static MergeConfig defaults() {
    return DEFAULTS;
  }

  /** Says how long until a series ends; zero for never. */
  static final class Expiry implements SettingParser {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    /** YAML reads a bare {@code off} as false. */
    @Override
    public Duration parse(String text, long heapBytes) {
      String stripped = text.strip();
      if (List.of("off", "0", "false").contains(stripped)) {
        return Duration.ZERO;
      }
      Duration expiry = DurationText.parse(stripped);
      if (!expiry.isZero() && (expiry.compareTo(LEAST) < 0 || expiry.compareTo(LONGEST) > 0)) {
        throw new IllegalArgumentException("must be from 1s to 365d, or off: " + text);
      }
      return expiry;
    }
  }

  /** A number, or what the heap has room for. */
  static final class CountersParser implements SettingParser {
    @Override
    public Integer parse(String text, long heapBytes) {
      return text.strip().equals(AUTO)
          ? StoreMemory.maxCounters(heapBytes)
          : SettingTypes.intWithin(text, "1024 to 2147483647");
    }
  }

  /** Spans with their steps. */
  static final class WindowsParser implements SettingParser {
    @Override
    public List<WindowSpec> parse(String text, long heapBytes) {
      return text.isBlank() ? List.of() : WindowSpec.parseList(text);
    }
  }
}
