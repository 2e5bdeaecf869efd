package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.series.Labels;
import java.util.Map;
import java.util.TreeMap;

/**
 * The labels of one series in one spelling, in the order of their names, with the places where
 * {@code quantile} and {@code window} belong. They stay the same from scrape to scrape, and
 * encoding them costs more than reading the counts.
 */
final class EncodedLabels {
  /** How a format writes one label. */
  interface Spelling {
    /** Writes a label. */
    void put(String name, String value, Bytes into);
  }

  private static final byte[] NOT_KEPT = {};

  private final byte[] bytes;
  private final int quantileAt;
  private final int windowAt;
  private final long number;

  /**
   * Labels of a series.
   *
   * @param number of the series, higher than those of all before
   */
  EncodedLabels(Labels labels, Spelling spelling, long number) {
    this.number = number;
    Bytes encoded = new Bytes();
    int quantile = 0;
    int window = 0;
    for (Map.Entry<String, String> label : new TreeMap<>(labels.asMap()).entrySet()) {
      spelling.put(label.getKey(), label.getValue(), encoded);
      quantile = label.getKey().compareTo("quantile") < 0 ? encoded.size() : quantile;
      window = label.getKey().compareTo("window") < 0 ? encoded.size() : window;
    }
    bytes = encoded.toByteArray();
    quantileAt = quantile;
    windowAt = window;
  }

  /** The place of labels that are encoded for each page anew. */
  EncodedLabels(long number) {
    this.number = number;
    bytes = NOT_KEPT;
    quantileAt = 0;
    windowAt = 0;
  }

  /** Whether this is no more than their place. */
  boolean isPlaceOnly() {
    return bytes == NOT_KEPT;
  }

  long number() {
    return number;
  }

  boolean isEmpty() {
    return bytes.length == 0;
  }

  void putInto(Bytes out) {
    out.put(bytes);
  }

  /** All labels, and two more in their places. */
  void putWith(byte[] quantile, byte[] window, Bytes out) {
    out.put(bytes, 0, quantileAt);
    out.put(quantile);
    out.put(bytes, quantileAt, windowAt);
    out.put(window);
    out.put(bytes, windowAt, bytes.length);
  }

  int size() {
    return bytes.length;
  }
}
