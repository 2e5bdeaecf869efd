package io.hdrsidecar.tests.promql;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * A figure of histograms over a window, taken together by labels, and what is then done with it.
 *
 * @param isClassic whether the buckets, counts and sums are asked for as series of their own
 * @param outer from the inside out
 */
record PromqlQuery(
    Selection selection,
    Window window,
    KeptLabels grouping,
    Figure figure,
    boolean isClassic,
    List<Outer> outer) {
  /** Labels of series that must not be added up. */
  static final Set<String> SORTS = Set.of("kind", "corrected");

  /** As it is asked. */
  String text() {
    String text = figureText();
    for (Outer each : outer) {
      text = each.text(text);
    }
    return text;
  }

  private String figureText() {
    return isClassic ? classic(false) : figure.text(grouping.text("sum", counted("", false)));
  }

  /**
   * The figure alone, as a Prometheus must be asked for what was counted. Its rate is extrapolated:
   * that is right where each second has the same values, and elsewhere a difference is asked for.
   *
   * @param moments to ask it at
   */
  String oracle(RecordedLoad load, AskedMoments moments) {
    boolean asAsked =
        selection.name().equals("steady")
            && window.beginMillis(moments.firstMillis()) >= load.originMillis()
            && window.endMillis(moments.lastMillis()) < load.endMillis() + 1000;
    return isClassic ? classic(!asAsked) : figure.text(grouping.text("sum", counted("", !asAsked)));
  }

  private String classic(boolean asDifference) {
    if (figure instanceof Figure.Quantile) {
      return figure.text(grouping.text("sum", counted("_bucket", asDifference), "le"));
    }
    String count = grouping.text("sum", counted("_count", asDifference));
    String sum = grouping.text("sum", counted("_sum", asDifference));
    if (figure instanceof Figure.Mean) {
      return "(" + sum + " / " + count + ")";
    }
    return figure instanceof Figure.Count ? count : sum;
  }

  private String counted(String suffix, boolean asDifference) {
    String selector = selection.text(suffix);
    return asDifference ? window.difference(selector) : window.text(selector);
  }

  /** The values that the figure is about, sorted, by the labels that are left. */
  Map<Map<String, String>, long[]> values(RecordedLoad load, long askedMillis) {
    Map<Map<String, String>, long[]> values = new LinkedHashMap<>();
    for (RecordedSeries series : load.series()) {
      if (selection.has(series)) {
        long[] inside = inside(series, load.originMillis(), askedMillis);
        values.merge(labels(series), inside, PromqlQuery::joined);
      }
    }
    values.values().forEach(Arrays::sort);
    return values;
  }

  /** Whether it adds up values of series that must not be. */
  boolean isMixed(RecordedLoad load, long askedMillis) {
    Map<Map<String, String>, Set<Map<String, String>>> sorts = new HashMap<>();
    for (RecordedSeries series : load.series()) {
      if (selection.has(series) && inside(series, load.originMillis(), askedMillis).length > 0) {
        Map<String, String> sort = new HashMap<>(series.labels());
        sort.keySet().retainAll(SORTS);
        sorts.computeIfAbsent(labels(series), none -> new HashSet<>()).add(sort);
      }
    }
    return sorts.values().stream().anyMatch(together -> together.size() > 1);
  }

  /** A series that nothing was done with has its name. */
  private Map<String, String> labels(RecordedSeries series) {
    Map<String, String> labels = grouping.of(series.labels());
    boolean isAsItIs =
        isClassic
            && window.kind() == Window.Kind.TOTAL
            && grouping.kind() == KeptLabels.Kind.NONE
            && (figure instanceof Figure.Count || figure instanceof Figure.Sum);
    if (isAsItIs) {
      labels.put(
          "__name__", series.metric() + (figure instanceof Figure.Count ? "_count" : "_sum"));
    }
    return labels;
  }

  /** Of the seconds that end in the window. */
  private long[] inside(RecordedSeries series, long originMillis, long askedMillis) {
    LongStream inside = LongStream.empty();
    for (int second = 0; second < series.seconds().size(); second++) {
      long end = originMillis + (second + 1) * 1000L;
      if (end > window.beginMillis(askedMillis) && end <= window.endMillis(askedMillis)) {
        inside = LongStream.concat(inside, Arrays.stream(series.seconds().get(second)));
      }
    }
    return inside.toArray();
  }

  private static long[] joined(long[] one, long[] other) {
    return LongStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
  }
}
