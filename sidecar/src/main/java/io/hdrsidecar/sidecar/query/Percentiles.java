package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.reading.Distribution;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Percentiles as they are asked for and answered. */
public final class Percentiles {
  public static final String PARAMETER = "percentiles";
  private static final int MAX = 1000;

  private Percentiles() {}

  /** Reads numbers from 0 to 100, separated by commas. */
  public static List<BigDecimal> parse(String text) throws QueryException {
    List<BigDecimal> percentiles = new ArrayList<>();
    for (String part : text.split(",", MAX + 1)) {
      percentiles.add(one(part.strip()));
    }
    if (percentiles.size() > MAX) {
      throw QueryException.badParameter(PARAMETER, "at most " + MAX);
    }
    return percentiles;
  }

  private static BigDecimal one(String text) throws QueryException {
    if (text.matches("\\d{1,3}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?")) {
      BigDecimal percentile = new BigDecimal(text);
      if (percentile.compareTo(BigDecimal.valueOf(100)) <= 0) {
        return percentile;
      }
    }
    throw QueryException.badParameter(
        PARAMETER, "must be numbers from 0 to 100, separated by commas: " + text);
  }

  /** Without trailing zeros, and never as 1E+2. */
  public static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /** Highest value of the bucket that reaches it, but within minimum and maximum. */
  public static long valueAt(Distribution distribution, BigDecimal percentile) {
    return distribution.withinExtremes(distribution.valueAtPercentile(percentile.doubleValue()));
  }
}
