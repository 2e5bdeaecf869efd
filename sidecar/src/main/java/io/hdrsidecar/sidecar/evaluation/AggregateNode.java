package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Aggregator;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * {@code sum}, {@code avg}, {@code min}, {@code max} and {@code count} of the elements that agree
 * in the labels that are kept.
 */
final class AggregateNode extends DerivedNode {
  /**
   * What elements of a group agree in.
   *
   * @param isClassic whether they have labels {@code le} besides
   */
  private record GroupKey(MetricLabels labels, boolean isClassic) {}

  private final VectorNode of;
  private final Aggregator aggregator;
  private final Grouping grouping;

  AggregateNode(VectorNode of, Aggregator aggregator, Grouping grouping) {
    super(of);
    this.of = of;
    this.aggregator = aggregator;
    this.grouping = grouping;
  }

  @Override
  List<Element> derive(List<Element> elements, Annotations annotations) throws QueryException {
    if (of instanceof RateNode rate && rate.isSummed()) {
      return elements;
    }
    boolean keepsBuckets = isAddition() && grouping.keeps(MetricLabels.LE);
    Map<GroupKey, List<Element>> groups = groups(elements);
    if (!keepsBuckets || differInEdges(groups.values())) {
      groups = groups(EdgeCuts.cut(elements));
    }
    List<Element> results = new ArrayList<>();
    for (Map.Entry<GroupKey, List<Element>> each : groups.entrySet()) {
      aggregate(each.getKey().labels(), each.getValue(), results, annotations);
    }
    return results;
  }

  private Map<GroupKey, List<Element>> groups(List<Element> elements) {
    Map<GroupKey, List<Element>> groups = new LinkedHashMap<>();
    for (Element each : elements) {
      GroupKey key = new GroupKey(each.labels().grouped(grouping), each.isClassic());
      groups.computeIfAbsent(key, none -> new ArrayList<>()).add(each);
    }
    return groups;
  }

  /** Whether only some of the buckets that classic elements stand for belong together. */
  private static boolean differInEdges(Collection<List<Element>> groups) throws QueryException {
    boolean differ = false;
    boolean hasClassic = false;
    boolean hasBuckets = false;
    for (List<Element> group : groups) {
      HistogramValue first = group.get(0).histogram();
      for (Element each : group) {
        HistogramValue histogram = each.histogram();
        if (each.isClassic() && histogram != null && first != null) {
          Mixtures.refuse(first.unit(), histogram.unit());
          differ |= !Objects.equals(first.edges(), histogram.edges());
        }
        hasClassic |= each.isClassic();
        hasBuckets |= each.isBucket();
      }
    }
    return differ || (hasClassic && hasBuckets);
  }

  private boolean isAddition() {
    return aggregator == Aggregator.SUM || aggregator == Aggregator.AVG;
  }

  private void aggregate(
      MetricLabels labels, List<Element> group, List<Element> into, Annotations annotations)
      throws QueryException {
    if (aggregator == Aggregator.COUNT) {
      into.add(Element.number(labels, group.size(), true, Sorts.NONE));
    } else if (isAddition()) {
      requireAddable(group);
      add(labels, group, into, annotations);
    } else {
      extreme(labels, group, into, annotations);
    }
  }

  /** Why values of distributions are not added up. */
  static String refusal(Aggregator aggregator) {
    return aggregator.word()
        + ": percentiles and other values of distributions are not added up, which would be the"
        + " percentile of nothing; take max, or histogram_quantile of the sum of the histograms";
  }

  private void requireAddable(List<Element> group) throws QueryException {
    if (group.stream().anyMatch(each -> !each.isAddable())) {
      throw QueryException.unsupported(refusal(aggregator));
    }
    if (group.size() > 1) {
      Mixtures.refuse(Sorts.of(group));
    }
  }

  private void add(
      MetricLabels labels, List<Element> group, List<Element> into, Annotations annotations)
      throws QueryException {
    long histograms = group.stream().filter(Element::isHistogram).count();
    if (histograms > 0 && histograms < group.size()) {
      annotations.warn("encountered a mix of histograms and floats for aggregation");
      return;
    }
    double divisor = aggregator == Aggregator.AVG ? group.size() : 1;
    HistogramValue sum = group.get(0).histogram();
    if (sum == null) {
      double total = 0;
      for (Element each : group) {
        total += each.value();
      }
      into.add(Element.number(labels, total / divisor, true, Sorts.of(group)));
      return;
    }
    for (Element each : group.subList(1, group.size())) {
      HistogramValue other = each.histogram();
      if (other != null) {
        sum = sum.and(other);
      }
    }
    HistogramValue result = divisor == 1 ? sum : sum.times(1 / divisor);
    into.add(Element.histogram(labels, result, Sorts.of(group)));
  }

  private void extreme(
      MetricLabels labels, List<Element> group, List<Element> into, Annotations annotations) {
    double extreme = Double.NaN;
    boolean found = false;
    boolean isAddable = true;
    for (Element each : group) {
      if (each.isHistogram()) {
        annotations.inform("ignored histogram in " + aggregator.word() + " aggregation");
      } else {
        boolean better =
            aggregator == Aggregator.MAX ? each.value() > extreme : each.value() < extreme;
        if (!found || better || Double.isNaN(extreme)) {
          extreme = each.value();
        }
        found = true;
        isAddable &= each.isAddable();
      }
    }
    if (found) {
      into.add(Element.number(labels, extreme, isAddable, Sorts.of(group)));
    }
  }
}
