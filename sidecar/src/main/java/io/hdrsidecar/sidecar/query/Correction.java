package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.math.BigDecimal;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Adds the values back that a caller who waits for each answer did not measure: for a value above
 * the expected interval, value - interval, value - 2 intervals, and so on, down to one interval.
 * Only what is answered changes; what was counted stays raw.
 *
 * <p>One thread at a time; all that one instance adds counts towards one limit.
 *
 * @see Histogram#copyCorrectedForCoordinatedOmission(long)
 */
public final class Correction {
  /** Names the interval. */
  public static final String PARAMETER = "expectedInterval";

  private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ns|us|ms|s|m|h)");

  /** Times that contain the wait before the call, and that wait itself. */
  private static final Set<String> WITH_WAIT = Set.of("response", "wait");

  private final String text;
  private final long interval;
  private final int maxSteps;
  private final CountsClaim claim;
  private long steps;
  private long added;

  private Correction(String text, long interval, QueryScope scope) {
    this.text = text;
    this.interval = interval;
    this.maxSteps = scope.limits().maxCorrections();
    this.claim = new CountsClaim(scope.claim());
  }

  /**
   * Reads {@code expectedInterval}, if it is given.
   *
   * @return null if nothing is to be corrected
   * @throws QueryException when it is no duration, or the values must not be corrected
   */
  public static @Nullable Correction of(
      Parameters parameters, SeriesSelection selection, QueryScope scope) throws QueryException {
    String text = parameters.get(PARAMETER, "");
    if (text.isEmpty()) {
      return null;
    }
    long interval = inUnit(text, selection.unit());
    refuse(selection);
    return new Correction(text, interval, scope);
  }

  private static long inUnit(String text, Unit unit) throws QueryException {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw QueryException.badParameter(
          PARAMETER, "must be a duration such as 500us, 10ms or 1s: " + text);
    }
    if (!unit.baseUnit().equals("seconds")) {
      throw QueryException.badParameter(
          PARAMETER, "corrects durations, and the series are in " + unit.symbol());
    }
    BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(nanosOf(matcher.group(2)));
    try {
      long interval = nanos.divide(BigDecimal.valueOf(1e9 / unit.perBaseUnit())).longValueExact();
      if (interval > 0) {
        return interval;
      }
    } catch (ArithmeticException e) {
      // As for 0: the unit of the series cannot say it.
    }
    throw QueryException.badParameter(
        PARAMETER, "must be 1 " + unit.symbol() + " or a multiple of it: " + text);
  }

  private static BigDecimal nanosOf(String symbol) {
    return BigDecimal.valueOf(
        switch (symbol) {
          case "ns" -> 1L;
          case "us" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        });
  }

  private static void refuse(SeriesSelection selection) throws QueryException {
    for (SeriesKey series : selection.keys()) {
      String correction = series.labels().get("corrected");
      if (!correction.isEmpty()) {
        throw QueryException.badParameter(
            PARAMETER,
            series + " is corrected already; select the raw series, with corrected=\"\"");
      }
      String kind = series.labels().get("kind");
      if (WITH_WAIT.contains(kind)) {
        throw QueryException.badParameter(
            PARAMETER,
            series
                + " is measured from the intended start and misses nothing; select"
                + " kind=\"service\"");
      }
    }
  }

  /**
   * The corrected values. O(buckets + value / interval for each bucket).
   *
   * @throws QueryException when that would take too long
   */
  public Distribution of(Distribution raw) throws QueryException {
    if (raw.count() == 0) {
      return raw;
    }
    if (raw.hasForeignBuckets()) {
      throw QueryException.badParameter(
          PARAMETER,
          "the series has buckets that were not recorded here: they are too coarse to tell which"
              + " values are missing");
    }
    requireBounded(raw);
    long counters = raw.histogramCounters(0);
    // Twice as a histogram, once in pages, and all that may be counted in afterwards.
    claim.holds(
        2 * HeapShare.arrayCost(Long.BYTES * counters)
            + Long.BYTES * counters
            + Distribution.bytesFor(counters, 1));
    Histogram before = raw.toHistogram();
    Histogram after = before.copyCorrectedForCoordinatedOmission(interval);
    PagedCounts counts =
        new PagedCounts(
            BucketLayout.of(
                after.getLowestDiscernibleValue(), after.getNumberOfSignificantValueDigits()));
    ExactSum sum = new ExactSum();
    sum.add(raw.sum());
    long addedHere = after.getTotalCount() - before.getTotalCount();
    for (HistogramIterationValue bucket : after.recordedValues()) {
      long value = bucket.getValueIteratedTo();
      long count = bucket.getCountAtValueIteratedTo();
      counts.add(counts.layout().indexOf(value), count);
      sum.addProduct(after.medianEquivalentValue(value), count - before.getCountAtValue(value));
    }
    added += addedHere;
    // What was added lies within its buckets, so a lower minimum is known to its bucket only.
    boolean lower = after.getMinValue() < before.getMinValue();
    long min = lower ? after.getMinValue() : raw.min();
    Distribution corrected = new Distribution();
    SumMinMax sumMinMax = new SumMinMax();
    sumMinMax.set(sum, raw.sumIsExact() && addedHere == 0, min, raw.max());
    corrected.add(counts, sumMinMax);
    return corrected;
  }

  private void requireBounded(Distribution raw) throws QueryException {
    double values = 0;
    for (int i = 0; i < raw.size(); i++) {
      long perValue = raw.highestAt(i) / interval;
      steps = Math.min(steps + perValue, Long.MAX_VALUE / 2);
      values += (perValue + 1.0) * raw.countAt(i);
    }
    if (steps < 0 || steps > maxSteps) {
      throw QueryException.tooCostly(
          PARAMETER,
          "so short a one would add values back in more than "
              + maxSteps
              + " places (query.max-corrections); take a longer one, or a shorter range");
    }
    if (values > Long.MAX_VALUE / 2.0) {
      throw QueryException.tooCostly(PARAMETER, "the corrected counts would pass 2^62");
    }
  }

  /** The interval, in the unit of the series. */
  public long interval() {
    return interval;
  }

  /** The interval as it was asked for. */
  public String text() {
    return text;
  }

  /** How many values were added back so far. */
  public long added() {
    return added;
  }
}
