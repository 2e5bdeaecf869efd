package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.promql.Aggregator;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code sum}, {@code avg}, {@code min}, {@code max} and {@code count} of the elements that agree
 * in the labels that are kept.
 */
final class AggregateNode extends DerivedNode {
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
    List<Element> all = keepsBuckets ? elements : EdgeCuts.cut(elements);
    Map<MetricLabels, List<Element>> groups = new LinkedHashMap<>();
    for (Element each : all) {
      groups.computeIfAbsent(each.labels().grouped(grouping), none -> new ArrayList<>()).add(each);
    }
    List<Element> results = new ArrayList<>();
    for (Map.Entry<MetricLabels, List<Element>> each : groups.entrySet()) {
      aggregate(each.getKey(), each.getValue(), results, annotations);
    }
    return results;
  }

  private boolean isAddition() {
    return aggregator == Aggregator.SUM || aggregator == Aggregator.AVG;
  }

  private void aggregate(
      MetricLabels labels, List<Element> group, List<Element> into, Annotations annotations)
      throws QueryException {
    if (aggregator == Aggregator.COUNT) {
      into.add(Element.number(labels, group.size(), true));
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
      Mixtures.refuse(
          label ->
              group.stream()
                  .map(each -> each.labels().get(label))
                  .collect(Collectors.toCollection(TreeSet::new)));
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
      into.add(Element.number(labels, total / divisor, true));
      return;
    }
    for (Element each : group.subList(1, group.size())) {
      HistogramValue other = each.histogram();
      if (other != null) {
        sum = sum.and(other);
      }
    }
    into.add(Element.histogram(labels, divisor == 1 ? sum : sum.times(1 / divisor)));
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
      into.add(Element.number(labels, extreme, isAddable));
    }
  }
}
