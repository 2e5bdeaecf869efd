package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.input.DurationText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A range of time in steps of equal length, each starting at a multiple of it since the epoch, so
 * that the steps of two queries are the same ones.
 *
 * @param range all that is asked for; its first and last step may reach beyond it
 * @param stepMillis 1 or more
 * @param count how many steps overlap the range
 */
public record TimeSteps(TimeRange range, long stepMillis, int count) {
  /** As many as a chart has room for; what people do not choose must not be much. */
  static final int USUAL_COUNT = 250;

  private static final int[] USUAL_SECONDS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200
  };
  private static final long DAY_MILLIS = 86_400_000;

  /**
   * Reads {@code step}: a duration such as {@code 10s}, or seconds. Without it, one of a length
   * that people use, so that the range has some {@value #USUAL_COUNT} steps at most.
   *
   * @throws QueryException when it is none, or gives too many steps
   */
  public static TimeSteps of(Parameters parameters, TimeRange range, QueryLimits limits)
      throws QueryException {
    Optional<String> asked = parameters.get("step");
    long step = asked.isPresent() ? millis(asked.get()) : usual(range, limits.maxSteps());
    long count = count(range, step);
    if (count > limits.maxSteps()) {
      throw QueryException.tooCostly(
          "step",
          "gives "
              + count
              + " steps, at most "
              + limits.maxSteps()
              + " are allowed (query.max-steps); take a longer step or a shorter range");
    }
    return new TimeSteps(range, step, (int) count);
  }

  private static long usual(TimeRange range, int maxSteps) {
    int most = Math.min(USUAL_COUNT, maxSteps);
    for (int seconds : USUAL_SECONDS) {
      if (count(range, seconds * 1000L) <= most) {
        return seconds * 1000L;
      }
    }
    long days = 1;
    while (count(range, days * DAY_MILLIS) > most) {
      days *= 2;
    }
    return days * DAY_MILLIS;
  }

  private static long count(TimeRange range, long step) {
    return Math.floorDiv(range.endMillis() - 1, step)
        - Math.floorDiv(range.startMillis(), step)
        + 1;
  }

  /**
   * Reads a length of time: a duration such as {@code 10s}, or seconds.
   *
   * @throws QueryException when it is none, or less than 1 ms
   */
  public static long millis(String text) throws QueryException {
    try {
      long millis =
          text.matches("\\d{1,9}(\\.\\d{1,9})?")
              ? new BigDecimal(text).movePointRight(3).setScale(0, RoundingMode.FLOOR).longValue()
              : DurationText.parse(text).toMillis();
      if (millis > 0) {
        return millis;
      }
    } catch (IllegalArgumentException e) {
      // As for 0: neither is a length of time to step by.
    }
    throw QueryException.badParameter(
        "step", "must be a duration such as 10s, or seconds, of at least 1 ms: " + text);
  }

  /** Start of the step that a moment belongs to; the nearer end of the range, outside of it. */
  long startOf(long millis) {
    long within = Math.min(Math.max(millis, range.startMillis()), range.endMillis() - 1);
    return Math.floorDiv(within, stepMillis) * stepMillis;
  }

  /** Refuses an answer of too many numbers. */
  public void requireCells(String parameter, int perStep, QueryLimits limits)
      throws QueryException {
    if ((long) count * perStep > limits.maxCells()) {
      throw QueryException.tooCostly(
          parameter,
          count
              + " steps of "
              + perStep
              + " are "
              + (long) count * perStep
              + " numbers, at most "
              + limits.maxCells()
              + " are allowed (query.max-cells); ask for fewer "
              + parameter
              + ", or take a longer step");
    }
  }
}
