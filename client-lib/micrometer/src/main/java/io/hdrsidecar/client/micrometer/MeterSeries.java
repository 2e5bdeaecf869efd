package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The series that a meter's values go to.
 *
 * <p>The exposition appends the unit, so the name goes without: the timer {@code http.requests}
 * becomes the series {@code http_requests}, shown as {@code http_requests_seconds}. Summaries whose
 * base unit is a time are recorded in nanoseconds, those in bytes as bytes, all others as plain
 * numbers with the base unit in the name.
 *
 * @param unitsPerAmount what an amount is multiplied by to be in the unit of the series
 */
record MeterSeries(String name, Labels labels, RecorderConfig config, double unitsPerAmount) {
  private static final int MAX_HELP_LENGTH = 1024;

  /** The sidecar keeps these prefixes for its own metrics. */
  private static final List<String> RESERVED_PREFIXES = List.of("hdr_", "process_");

  /** Endings that mean another type of metric to Prometheus; its Java client removes them too. */
  private static final List<String> RESERVED_SUFFIXES =
      List.of("_total", "_created", "_bucket", "_info");

  private static final Map<String, TimeUnit> TIME_SYMBOLS =
      Map.of(
          "ns", TimeUnit.NANOSECONDS,
          "us", TimeUnit.MICROSECONDS,
          "ms", TimeUnit.MILLISECONDS,
          "s", TimeUnit.SECONDS);

  /** The series of a timer or a long task timer: nanoseconds. */
  static MeterSeries ofDurations(
      Meter.Id id,
      String conventionName,
      List<Tag> conventionTags,
      DistributionStatisticConfig statistics,
      ExpectedRange builderDefault) {
    return of(id, conventionName, conventionTags, statistics, builderDefault, Unit.NANOSECONDS, 1);
  }

  /** The series of a distribution summary, by its base unit. */
  static MeterSeries ofAmounts(
      Meter.Id id,
      String conventionName,
      List<Tag> conventionTags,
      DistributionStatisticConfig statistics) {
    String baseUnit = id.getBaseUnit() == null ? "" : id.getBaseUnit();
    TimeUnit time = timeUnit(baseUnit);
    Unit unit = time != null ? Unit.NANOSECONDS : baseUnit.equals("bytes") ? Unit.BYTES : Unit.NONE;
    double perAmount = time == null ? 1 : time.toNanos(1);
    return of(
        id, conventionName, conventionTags, statistics, ExpectedRange.SUMMARY, unit, perAmount);
  }

  private static @Nullable TimeUnit timeUnit(String baseUnit) {
    for (TimeUnit unit : TimeUnit.values()) {
      if (unit.name().equals(baseUnit.toUpperCase(Locale.ROOT))) {
        return unit;
      }
    }
    return TIME_SYMBOLS.get(baseUnit);
  }

  private static MeterSeries of(
      Meter.Id id,
      String conventionName,
      List<Tag> conventionTags,
      DistributionStatisticConfig statistics,
      ExpectedRange builderDefault,
      Unit unit,
      double unitsPerAmount) {
    RecorderConfig config =
        builderDefault
            .widened(RecorderConfig.of(unit), statistics, unitsPerAmount)
            .withHelp(help(id));
    String baseUnit = id.getBaseUnit() == null ? "" : id.getBaseUnit();
    return new MeterSeries(
        seriesName(conventionName, unit, baseUnit),
        TagLabels.of(conventionTags),
        config,
        unitsPerAmount);
  }

  private static String help(Meter.Id id) {
    String help = id.getDescription() == null ? "" : id.getDescription();
    return TagLabels.shortened(help, MAX_HELP_LENGTH);
  }

  static String seriesName(String conventionName, Unit unit, String baseUnit) {
    String name = HdrSidecarNamingConvention.legal(conventionName, true);
    if (unit == Unit.NONE) {
      name = withoutReservedSuffixes(name);
    } else {
      name = without("_" + HdrSidecarNamingConvention.legal(baseUnit, true), name);
      name = without("_" + unit.baseUnit(), name);
    }
    return RESERVED_PREFIXES.stream().anyMatch(name::startsWith) ? "exported_" + name : name;
  }

  private static String withoutReservedSuffixes(String name) {
    String shorter = name;
    for (String suffix : RESERVED_SUFFIXES) {
      shorter = without(suffix, shorter);
    }
    return shorter.equals(name) ? name : withoutReservedSuffixes(shorter);
  }

  private static String without(String suffix, String name) {
    return name.length() > suffix.length() && name.endsWith(suffix)
        ? name.substring(0, name.length() - suffix.length())
        : name;
  }
}
