package io.hdrsidecar.sidecar.families;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.RefusedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which series name owns which metric names. Two owners of one name would make an exposition that
 * Prometheus refuses as a whole, so the second is refused when it registers. Merge context only.
 */
public final class FamilyRegistry {
  /** All metrics of our own start so. */
  private static final List<String> RESERVED_PREFIXES = List.of("hdr_", "process_");

  /** Endings to which the Prometheus formats give a meaning of their own. */
  private static final List<String> RESERVED_SUFFIXES =
      List.of("_total", "_created", "_bucket", "_info");

  /** A claim, and how many series hold it. */
  private static final class HeldClaim {
    private final FamilyClaim claim;
    private int series;

    HeldClaim(FamilyClaim claim) {
      this.claim = claim;
    }
  }

  private final Map<String, HeldClaim> bySeriesName = new HashMap<>();
  private final Map<String, FamilyClaim> byMetricName = new HashMap<>();

  /**
   * Checks whether the name can be claimed, or was claimed with the same unit; changes nothing.
   *
   * @return the claim to pass to {@link #add}
   * @throws RefusedException naming the series that is in the way
   */
  public FamilyClaim check(String name, Unit unit, String help) throws RefusedException {
    HeldClaim held = bySeriesName.get(name);
    if (held != null) {
      requireSameUnit(held.claim, unit);
      return held.claim;
    }
    MetricNames names = MetricNames.of(name, unit);
    requireNotReserved(name, names);
    requireUnclaimed(name, names);
    return new FamilyClaim(name, unit, help, names);
  }

  /** Whether only metrics of our own may begin like this. Any thread. */
  public static boolean isReserved(String name) {
    return RESERVED_PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static void requireSameUnit(FamilyClaim claimed, Unit unit) throws RefusedException {
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

  private static void requireNotReserved(String name, MetricNames names) throws RefusedException {
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

  private void requireUnclaimed(String name, MetricNames names) throws RefusedException {
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

  /** Whether a living series has the name of a claim. */
  public boolean isKnown(FamilyClaim claim) {
    return bySeriesName.containsKey(claim.seriesName());
  }

  /** Takes the names for one more series. */
  public void add(FamilyClaim claim) {
    HeldClaim held = bySeriesName.get(claim.seriesName());
    if (held == null) {
      held = new HeldClaim(claim);
      bySeriesName.put(claim.seriesName(), held);
      claim.names().all().forEach(metric -> byMetricName.put(metric, claim));
    }
    held.series++;
  }

  /** A series has ended: with the last one the names are free. */
  public void release(FamilyClaim claim) {
    HeldClaim held = bySeriesName.get(claim.seriesName());
    if (held != null && --held.series == 0) {
      bySeriesName.remove(claim.seriesName());
      claim.names().all().forEach(byMetricName::remove);
    }
  }

  private static RefusedException conflict(String message) {
    return new RefusedException(RejectReason.SERIES_CONFLICT, message);
  }

  private static RefusedException bad(String message) {
    return new RefusedException(RejectReason.BAD_SERIES, message);
  }
}
