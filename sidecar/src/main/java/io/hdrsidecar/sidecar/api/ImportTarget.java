package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.query.Parameters;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which series the intervals of an uploaded log go to.
 *
 * @param key series of lines without a tag; tagged ones have one more label, {@code tag}
 * @param unit unit of the values
 */
record ImportTarget(SeriesKey key, Unit unit) {
  private static final String LABEL_PREFIX = "label.";

  /** From {@code name}, {@code unit} and {@code label.*}. */
  static ImportTarget of(Parameters parameters) throws QueryException {
    String name = parameters.require("name");
    Labels labels = labels(parameters);
    try {
      return new ImportTarget(new SeriesKey(name, labels), unit(parameters.require("unit")));
    } catch (IllegalArgumentException e) {
      throw QueryException.badParameter("name", String.valueOf(e.getMessage()));
    }
  }

  private static Labels labels(Parameters parameters) throws QueryException {
    Labels labels = Labels.empty();
    for (Map.Entry<String, String> label :
        new TreeMap<>(parameters.withPrefix(LABEL_PREFIX)).entrySet()) {
      try {
        labels = labels.and(Labels.of(label.getKey(), label.getValue()));
      } catch (IllegalArgumentException e) {
        throw QueryException.badParameter(
            LABEL_PREFIX + label.getKey(), String.valueOf(e.getMessage()));
      }
    }
    return labels;
  }

  private static Unit unit(String symbol) throws QueryException {
    try {
      return Unit.ofSymbol(symbol);
    } catch (IllegalArgumentException e) {
      throw QueryException.badParameter("unit", String.valueOf(e.getMessage()));
    }
  }

  /**
   * The series of a line.
   *
   * @param tag empty for none
   * @throws IllegalArgumentException when the tag cannot be a label value, or the label {@code tag}
   *     was given another value
   */
  SeriesKey keyOf(String tag) {
    return tag.isEmpty() ? key : new SeriesKey(key.name(), key.labels().and(Labels.of("tag", tag)));
  }
}
