package io.hdrsidecar.client.micrometer;

import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.series.Labels;
import io.micrometer.core.instrument.Tag;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns tags into labels without refusing any: an application that adds a tag must not lose its
 * timer. A tag that no label can be is renamed or shortened, as Prometheus does when it scrapes.
 */
final class TagLabels {
  /** Prometheus' own prefix for a label of the target that it has to set itself. */
  private static final String EXPORTED = "exported_";

  private TagLabels() {}

  /**
   * The labels for these tags, whose names a naming convention has formed.
   *
   * @throws IllegalArgumentException when there are more tags than a series can have labels
   */
  static Labels of(Iterable<Tag> tags) {
    Map<String, String> byName = new TreeMap<>();
    for (Tag tag : tags) {
      byName.put(freeName(tag.getKey(), byName), shortened(tag.getValue()));
    }
    return Labels.of(byName);
  }

  private static String freeName(String key, Map<String, String> taken) {
    String name = labelName(key);
    // Two tags such as a.b and a_b give one name; neither value may hide the other.
    while (taken.containsKey(name)) {
      name += "_";
    }
    return name;
  }

  private static String labelName(String key) {
    String legal = shortened(HdrSidecarNamingConvention.legal(key, false));
    if (Labels.isReserved(legal) || legal.equals(OverflowLabels.MARK)) {
      return EXPORTED + legal;
    }
    return legal.startsWith("__") ? legal.replaceFirst("^_+", "_") : legal;
  }

  /** Leaves room for a prefix or a few underscores. */
  private static String shortened(String text) {
    return shortened(text, Labels.MAX_LENGTH - 24);
  }

  /**
   * The start of a text; a pair of surrogates is in it whole or not at all, as half of one is no
   * text.
   */
  static String shortened(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean isInPair = Character.isSurrogatePair(text.charAt(longest - 1), text.charAt(longest));
    return text.substring(0, isInPair ? longest - 1 : longest);
  }
}
