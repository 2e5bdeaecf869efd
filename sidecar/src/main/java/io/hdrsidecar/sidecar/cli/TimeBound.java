package io.hdrsidecar.sidecar.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One end of a range of time.
 *
 * @param seconds since the log's start, or since the epoch
 * @param absolute which of the two
 */
record TimeBound(double seconds, boolean absolute) {
  private static final double NANOS = 1e9;

  /** Where an interval stands in relation to this bound: below 0 is before it. */
  int compare(double intervalStart, double logStart) {
    // The difference first, as HistogramLogReader has it: it rounds, and decides at the edges.
    return Double.compare(absolute ? intervalStart : intervalStart - logStart, seconds);
  }

  /**
   * {@code 12.5} seconds after the log's start, {@code @1441812279.5} seconds since the epoch, or
   * {@code 2015-09-09T15:24:39Z}.
   *
   * @throws IllegalArgumentException for anything else
   */
  static TimeBound parse(String text) {
    try {
      return text.startsWith("@")
          ? new TimeBound(finite(text.substring(1)), true)
          : new TimeBound(finite(text), false);
    } catch (NumberFormatException noNumber) {
      return new TimeBound(epochSeconds(text), true);
    }
  }

  private static double finite(String text) {
    double number = Double.parseDouble(text);
    if (!Double.isFinite(number)) {
      throw new NumberFormatException(text);
    }
    return number;
  }

  private static double epochSeconds(String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      return instant.getEpochSecond() + instant.getNano() / NANOS;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "neither seconds after the log's start (12.5), nor seconds since 1970 (@1441812279.5),"
              + " nor a time with its zone (2015-09-09T15:24:39Z): "
              + text,
          e);
    }
  }

  /** For picocli. */
  static final class Converter implements ITypeConverter<TimeBound> {
    @Override
    public TimeBound convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
