package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.interval.SeriesDefinition;
import io.hdrsidecar.interval.Unit;
import io.hdrsidecar.wire.RejectReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which series name owns which metric names. Two owners of one name would make an exposition that
 * Prometheus refuses as a whole, so the second is refused when it registers. Merge context only.
 */
final class FamilyRegistry {
  /** All metrics of our own start so. */
  private static final List<String> RESERVED_PREFIXES = List.of("hdr_", "process_");

  /** Endings to which the Prometheus formats give a meaning of their own. */
  private static final List<String> RESERVED_SUFFIXES =
      List.of("_total", "_created", "_bucket", "_info");

  private final Map<String, FamilyClaim> bySeriesName = new HashMap<>();
  private final Map<String, FamilyClaim> byMetricName = new HashMap<>();

  /** The claim of this name, if it has one. */
  @Nullable FamilyClaim find(String seriesName) {
    return bySeriesName.get(seriesName);
  }

  /**
   * Checks whether the name can be claimed, or was claimed with the same unit; changes nothing.
   *
   * @return the claim to pass to {@link #add}
   * @throws SeriesRefusedException naming the series that is in the way
   */
  FamilyClaim check(SeriesDefinition definition) throws SeriesRefusedException {
    String name = definition.key().name();
    FamilyClaim claimed = bySeriesName.get(name);
    if (claimed != null) {
      requireSameUnit(claimed, definition.unit());
      return claimed;
    }
    MetricNames names = MetricNames.of(name, definition.unit());
    requireNotReserved(name, names);
    requireUnclaimed(name, names);
    return new FamilyClaim(name, definition.unit(), definition.help(), names);
  }

  private static void requireSameUnit(FamilyClaim claimed, Unit unit)
      throws SeriesRefusedException {
    if (claimed.unit() != unit) {
      throw conflict(
          "series "
              + claimed.seriesName()
              + " has the unit "
              + claimed.unit().symbol()
              + ", not "
              + unit.symbol());
    }
  }

  private static void requireNotReserved(String name, MetricNames names)
      throws SeriesRefusedException {
    for (String prefix : RESERVED_PREFIXES) {
      if (name.startsWith(prefix)) {
        throw bad("names starting with " + prefix + " are reserved: " + name);
      }
    }
    for (String suffix : RESERVED_SUFFIXES) {
      if (names.cumulative().endsWith(suffix)) {
        throw bad("metric names ending with " + suffix + " are reserved: " + names.cumulative());
      }
    }
  }

  private void requireUnclaimed(String name, MetricNames names) throws SeriesRefusedException {
    for (String metric : names.all().toList()) {
      FamilyClaim other = byMetricName.get(metric);
      if (other != null) {
        throw conflict(
            "series "
                + name
                + " would share the metric name "
                + metric
                + " with series "
                + other.seriesName()
                + "; rename one of them");
      }
    }
  }

  /** Takes the names. */
  void add(FamilyClaim claim) {
    bySeriesName.put(claim.seriesName(), claim);
    claim.names().all().forEach(metric -> byMetricName.put(metric, claim));
  }

  private static SeriesRefusedException conflict(String message) {
    return new SeriesRefusedException(RejectReason.SERIES_CONFLICT, message);
  }

  private static SeriesRefusedException bad(String message) {
    return new SeriesRefusedException(RejectReason.BAD_SERIES, message);
  }
}
