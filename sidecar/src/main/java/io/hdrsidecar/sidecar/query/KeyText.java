package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.internal.interval.SeriesKey;
import java.util.Map;

/** What series take of a query that chooses them. */
public final class KeyText {
  /** A series in the lists and tables of a query, without any text. */
  public static final long SERIES_BYTES = 256;

  /** Quotes, comma and equals sign, and a few that have to be escaped. */
  private static final int AROUND_LABEL = 8;

  private KeyText() {}

  /** Bytes of a series and of its name and labels as text; O(labels). */
  public static long cost(SeriesKey key) {
    long chars = key.name().length();
    for (Map.Entry<String, String> label : key.labels().asMap().entrySet()) {
      chars += label.getKey().length() + label.getValue().length() + AROUND_LABEL;
    }
    return SERIES_BYTES + 2 * chars;
  }
}
