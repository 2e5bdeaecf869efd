package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import org.jspecify.annotations.Nullable;

/**
 * The unit of values that are added up or compared: the first that a log tells. An interval of a
 * log that tells another is left out; nobody could say what the result is in.
 */
final class CommonUnit {
  private final boolean isGiven;
  private final String advice;
  private final @Nullable Unit assumed;
  private @Nullable Unit unit;

  /**
   * Of no interval yet.
   *
   * @param given the unit of all values, whatever logs say; null to take it from them
   * @param advice what to do about an interval in another unit
   */
  CommonUnit(@Nullable Unit given, String advice) {
    this(given, advice, null);
  }

  /**
   * The same for values that must have a unit.
   *
   * @param assumed of values whose log tells none, if no other has told it before; null to leave it
   *     open
   */
  CommonUnit(@Nullable Unit given, String advice, @Nullable Unit assumed) {
    this.isGiven = given != null;
    this.unit = given;
    this.advice = advice;
    this.assumed = assumed;
  }

  /** Null as long as no log has told it. */
  @Nullable Unit unit() {
    return unit;
  }

  /** Whether the scan's interval is in this unit; one that is not is left out with a warning. */
  boolean accepts(LogScan scan) {
    Unit ofLog = isGiven ? unit : scan.unit();
    if (ofLog != null && unit != null && ofLog != unit) {
      scan.refuse(
          "its values are in "
              + ofLog.symbol()
              + ", those before in "
              + unit.symbol()
              + "; "
              + advice);
      return false;
    }
    Unit unsaid = unit == null ? assumed : unit;
    unit = ofLog == null ? unsaid : ofLog;
    return true;
  }
}
