package io.hdrsidecar.sidecar.evaluation;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code increase} and {@code rate}: what was counted in the intervals that ended within the
 * window, exactly; and that divided by the length of the window, or by the length of an interval
 * where that is longer. Nothing is extrapolated.
 *
 * <p>A sum around it is taken here, too, if it can be: then all series of a group are added up
 * where they are read.
 */
final class RateNode implements VectorNode {
  /** Series that are added up together. */
  private static final class Group {
    private final MetricLabels labels;
    private final ExposedForm form;
    private final Unit unit;
    private final @Nullable List<Double> edges;
    private final int slot;
    private final List<ChosenSeries> members = new ArrayList<>();

    Group(
        MetricLabels labels, ExposedForm form, Unit unit, @Nullable List<Double> edges, int slot) {
      this.labels = labels;
      this.form = form;
      this.unit = unit;
      this.edges = edges;
      this.slot = slot;
    }

    boolean isPresent(long from, long to) {
      return members.stream().anyMatch(each -> each.isPresent(from, to));
    }
  }

  /** With its labels, and a distribution that is empty. */
  private static final long GROUP_BYTES = 4_096;

  private final SeriesChoice choice;
  private final Shift shift;
  private final long rangeMillis;
  private final boolean isRate;
  private final @Nullable Grouping grouping;
  private final EvaluationScope scope;
  private final List<Group> groups = new ArrayList<>();
  private final List<Distribution> reused = new ArrayList<>();
  private boolean isSummed;
  private @Nullable Windows windows;
  private @Nullable WindowReading reading;

  /**
   * Nothing is read yet.
   *
   * @param grouping of a sum around it; null for none
   */
  RateNode(
      RangeSelector selector, boolean isRate, @Nullable Grouping grouping, EvaluationScope scope) {
    this.choice = new SeriesChoice(selector.selector());
    this.shift = selector.selector().shift();
    this.rangeMillis = selector.rangeMillis();
    this.isRate = isRate;
    this.grouping = grouping;
    this.scope = scope;
  }

  @Override
  public void prepare(Moments moments) throws QueryException {
    Windows all = new Windows(moments.shifted(shift), rangeMillis);
    windows = all;
    WindowReading opened = new WindowReading(choice, all, scope);
    reading = opened;
    Set<ExposedForm> forms = EnumSet.noneOf(ExposedForm.class);
    opened.series().forEach(each -> forms.addAll(each.forms()));
    if (forms.contains(ExposedForm.WINDOW)) {
      throw QueryException.unsupported(
          "gauges have no rate: the selector matches "
              + opened.series().get(0).names().window()
              + "; select the histogram");
    }
    Grouping sum = grouping;
    isSummed =
        sum != null
            && forms.size() == 1
            && (!forms.contains(ExposedForm.BUCKET) || sum.keeps(MetricLabels.LE));
    Map<Object, Integer> slotOf = new HashMap<>();
    if (sum != null && isSummed) {
      group(opened, sum, forms.iterator().next(), slotOf);
    } else {
      each(opened, slotOf);
    }
    int slots = (int) slotOf.values().stream().distinct().count();
    for (int i = 0; i < slots; i++) {
      reused.add(new Distribution());
    }
    long edges = 0;
    for (Group each : groups) {
      edges += each.edges == null ? 0 : each.edges.size() * each.labels.cost();
    }
    scope.query().claim().grow(GROUP_BYTES * groups.size() + edges);
    opened.begin(slots, series -> slotOf.getOrDefault(series.key(), 0));
  }

  private void group(
      WindowReading opened, Grouping sum, ExposedForm form, Map<Object, Integer> slotOf)
      throws QueryException {
    Map<MetricLabels, Group> byLabels = new HashMap<>();
    for (ChosenSeries each : opened.series()) {
      MetricLabels labels = each.labels(form).withoutName().grouped(sum);
      Group group =
          byLabels.computeIfAbsent(
              labels,
              none -> new Group(labels, form, each.unit(), edges(form, each), groups.size()));
      if (group.members.isEmpty()) {
        groups.add(group);
      }
      Mixtures.refuse(group.unit, each.unit());
      group.members.add(each);
      slotOf.put(each.key(), group.slot);
    }
    for (Group each : groups) {
      Mixtures.refuse(
          label ->
              each.members.stream()
                  .map(one -> one.key().labels().get(label))
                  .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  private void each(WindowReading opened, Map<Object, Integer> slotOf) {
    for (ChosenSeries each : opened.series()) {
      int slot = slotOf.size();
      slotOf.put(each.key(), slot);
      for (ExposedForm form : each.forms()) {
        MetricLabels labels = each.labels(form).withoutName();
        Group group = new Group(labels, form, each.unit(), edges(form, each), slot);
        group.members.add(each);
        groups.add(group);
      }
    }
  }

  private @Nullable List<Double> edges(ExposedForm form, ChosenSeries series) {
    return form == ExposedForm.BUCKET ? choice.edges(series.unit(), scope.edges()) : null;
  }

  /** Whether the sum around it was taken. Once prepared. */
  boolean isSummed() {
    return isSummed;
  }

  @Override
  public List<Element> at(int step, Annotations annotations) throws QueryException {
    WindowReading opened = requireNonNull(reading, "reading");
    Windows all = requireNonNull(windows, "windows");
    opened.moveTo(step, annotations);
    List<Element> elements = new ArrayList<>();
    long alive = 0;
    for (Distribution each : reused) {
      alive += each.allocatedBytes();
    }
    for (Group each : groups) {
      SlidingSum sum = opened.slot(each.slot);
      if (!sum.isEmpty() || each.isPresent(all.beginAt(step), all.endAt(step))) {
        Distribution counts = reused.get(each.slot);
        alive -= counts.allocatedBytes();
        opened.claimFor(sum, alive * copies());
        sum.readInto(counts);
        alive += counts.allocatedBytes();
        double divisor = isRate ? Math.max(rangeMillis, sum.longestMillis()) / 1000.0 : 1;
        HistogramValue value = HistogramValue.of(counts, divisor, each.unit, each.edges);
        elements.add(SeriesForms.element(each.labels, each.form, value));
      }
    }
    return elements;
  }

  /** Distributions that are added up outside are copied, at worst twice at a time. */
  private int copies() {
    return isSummed ? 1 : 3;
  }

  @Override
  public void close() {
    groups.clear();
  }
}
