package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.plain.PlainName;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * From what StatsD calls a series to what Prometheus may call it: by the mapping's rules and then,
 * as statsd_exporter does, with an underscore for each character that Prometheus does not allow.
 *
 * <p>The unit is what the mapping says. Without that, {@code ms} is milliseconds, and a name that
 * ends as Prometheus' base units do tells that of {@code h} and {@code d}; others are plain
 * numbers. Times are kept in nanoseconds. The exposition appends the base unit to a name, so it is
 * taken off where it stands there already. Immutable; any thread.
 */
final class SeriesNaming {
  private static final String SECONDS = "_seconds";
  private static final String TOTAL = "_total";
  private static final String BYTES = "_bytes";

  /** A label that Prometheus or the exposition sets gets this in front, as Prometheus has it. */
  private static final String EXPORTED = "exported_";

  /** A tag without a value says that something is so. */
  private static final String TRUE = "true";

  /** As a client of ours has it by default. */
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  /** Longer ones are not looked for in the mapping. */
  private static final int MOST_NAME_BYTES = 1024;

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final long HIGHEST = 1L << 40;

  private final StatsdMapping mapping;

  SeriesNaming(StatsdMapping mapping) {
    this.mapping = mapping;
  }

  /** What a line is called, by its mapping. */
  private record Named(String name, Map<String, String> labels, @Nullable MappingRule rule) {}

  /**
   * The series of a line.
   *
   * @return null when the mapping drops it
   * @throws BadNameException when Prometheus or our limits do not allow such a name or such tags
   */
  @Nullable StatsdSeries seriesOf(byte[] bytes, int from, StatsdLine line) throws BadNameException {
    Named named = named(bytes, from, line);
    return named == null
        ? null
        : series(named.name, named.labels, named.rule, /* isTimer= */ line.kind == 'm');
  }

  /** Likewise what a counter or a gauge is called; a counter without {@code _total}. */
  @Nullable PlainName plainOf(byte[] bytes, int from, StatsdLine line) throws BadNameException {
    Named named = named(bytes, from, line);
    if (named == null) {
      return null;
    }
    boolean isCounter = line.kind == 'c';
    String name = isCounter ? without(named.name, TOTAL) : named.name;
    if (PlainName.hasMeaning(name)) {
      throw new BadNameException(
          NotKept.BAD_NAME, "name ends with what Prometheus gives a meaning: " + name);
    }
    MappingRule rule = named.rule;
    return new PlainName(
        key(name, named.labels),
        isCounter,
        rule == null ? "" : shortened(rule.help()),
        rule == null ? 1 : rule.scale());
  }

  private @Nullable Named named(byte[] bytes, int from, StatsdLine line) throws BadNameException {
    if (line.nameEnd - from > MOST_NAME_BYTES) {
      throw new BadNameException(
          NotKept.BAD_NAME,
          "name has " + (line.nameEnd - from) + " bytes, may have at most " + MOST_NAME_BYTES);
    }
    String statsdName = text(bytes, from, line.nameEnd);
    MappingRule.Mapped mapped = mapping.map(statsdName, line.kind);
    if (mapped != null && mapped.rule().drops()) {
      return null;
    }
    Map<String, String> labels = new TreeMap<>();
    putTags(bytes, line, labels);
    String name = mapped == null ? statsdName : mapped.name();
    if (mapped != null) {
      mapped.labels().forEach((label, value) -> put(labels, label, value, mapped.rule().tagsWin()));
    }
    return new Named(cleaned(name), labels, mapped == null ? null : mapped.rule());
  }

  private static StatsdSeries series(
      String name, Map<String, String> labels, @Nullable MappingRule rule, boolean isTimer)
      throws BadNameException {
    Unit sent = rule == null || rule.unit() == null ? unitOf(name, isTimer) : rule.unit();
    boolean isTime = sent.baseUnit().equals("seconds");
    Unit kept = isTime ? Unit.NANOSECONDS : sent;
    String base =
        isTime ? without(name, SECONDS) : sent == Unit.BYTES ? without(name, BYTES) : name;
    SeriesDefinition definition =
        new SeriesDefinition(
            key(base, labels),
            kept,
            rule == null ? "" : shortened(rule.help()),
            LAYOUT,
            isTime ? HOUR_NANOS : HIGHEST);
    return new StatsdSeries(definition, power(sent), rule == null ? 1 : rule.scale());
  }

  private static Unit unitOf(String name, boolean isTimer) {
    if (isTimer) {
      return Unit.MILLISECONDS;
    } else if (name.endsWith(SECONDS)) {
      return Unit.SECONDS;
    }
    return name.endsWith(BYTES) ? Unit.BYTES : Unit.NONE;
  }

  /** Of ten, from a unit to that in which the series keeps it. */
  private static int power(Unit sent) {
    return switch (sent) {
      case SECONDS -> 9;
      case MILLISECONDS -> 6;
      case MICROSECONDS -> 3;
      default -> 0;
    };
  }

  private static SeriesKey key(String name, Map<String, String> labels) throws BadNameException {
    Labels checked;
    try {
      checked = Labels.of(labels);
    } catch (IllegalArgumentException e) {
      throw new BadNameException(NotKept.BAD_TAGS, String.valueOf(e.getMessage()));
    }
    try {
      return new SeriesKey(name, checked);
    } catch (IllegalArgumentException e) {
      throw new BadNameException(NotKept.BAD_NAME, String.valueOf(e.getMessage()));
    }
  }

  private static String without(String name, String ending) {
    return name.endsWith(ending) && name.length() > ending.length()
        ? name.substring(0, name.length() - ending.length())
        : name;
  }

  private static String shortened(String help) {
    return help.substring(0, Math.min(help.length(), 1000));
  }

  private static void putTags(byte[] bytes, StatsdLine line, Map<String, String> labels)
      throws BadNameException {
    int start = line.tagsStart;
    while (start < line.tagsEnd) {
      if (labels.size() > Labels.MAX_LABELS) { // Before thousands are taken apart.
        throw new BadNameException(
            NotKept.BAD_TAGS, "there are more than " + Labels.MAX_LABELS + " tags");
      }
      int comma = StatsdLine.indexOf(bytes, (byte) ',', start, line.tagsEnd);
      int end = comma < 0 ? line.tagsEnd : comma;
      int colon = StatsdLine.indexOf(bytes, (byte) ':', start, end);
      if (colon < 0 && end > start) {
        put(labels, text(bytes, start, end), TRUE, false);
      } else if (colon > start) {
        put(labels, text(bytes, start, colon), text(bytes, colon + 1, end), false);
      }
      start = end + 1;
    }
  }

  /** Of two values for one name, the first wins or the last. */
  private static void put(
      Map<String, String> labels, String name, String value, boolean firstWins) {
    String label = cleaned(name).replace(':', '_');
    boolean isTaken =
        Labels.isReserved(label) || label.startsWith("__") || label.equals(OverflowLabels.MARK);
    String free = isTaken ? EXPORTED + label : label;
    if (firstWins) {
      labels.putIfAbsent(free, value);
    } else {
      labels.put(free, value);
    }
  }

  /** With an underscore for what Prometheus does not allow, and one in front of a digit. */
  private static String cleaned(String name) {
    StringBuilder clean = new StringBuilder(name.length() + 1);
    if (!name.isEmpty() && isDigit(name.charAt(0))) {
      clean.append('_');
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean allowed = (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 128;
      clean.append(allowed || isDigit(c) || c == ':' ? c : '_');
    }
    return clean.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
