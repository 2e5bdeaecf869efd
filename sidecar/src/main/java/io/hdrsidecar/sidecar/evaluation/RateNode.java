package io.hdrsidecar.sidecar.evaluation;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.promql.Expression.RangeSelector;
import io.hdrsidecar.sidecar.promql.Grouping;
import io.hdrsidecar.sidecar.promql.Shift;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code increase} and {@code rate}: what was counted in the intervals that ended within the
 * window, exactly; and that divided by the length of the window, or by the length of an interval
 * where that is longer. Nothing is extrapolated.
 *
 * <p>A sum around it is taken here, too, if it can be: then all series of a group are added up
 * where they are read; but a series with intervals longer than the window apart from the others,
 * since it is divided by another length.
 */
final class RateNode implements VectorNode {
  /** Series that are added up together. */
  private static final class Group {
    private final MetricLabels labels;
    private final ExposedForm form;
    private final Unit unit;
    private final @Nullable List<Double> edges;
    private final List<Integer> slots = new ArrayList<>();
    private final List<ChosenSeries> members = new ArrayList<>();
    private Sorts sorts = Sorts.NONE;

    Group(
        MetricLabels labels, ExposedForm form, Unit unit, @Nullable List<Double> edges, int slot) {
      this.labels = labels;
      this.form = form;
      this.unit = unit;
      this.edges = edges;
      slots.add(slot);
    }

    void add(ChosenSeries member) {
      members.add(member);
      sorts = sorts.and(Sorts.of(member.key()));
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
  private int apart;
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
    Map<SeriesKey, Group> groupOf = new HashMap<>();
    if (sum != null && isSummed) {
      group(opened, sum, forms.iterator().next(), groupOf);
    } else {
      each(opened, groupOf);
    }
    int shared = isSummed ? groups.size() : groupOf.size();
    long edges = 0;
    for (Group each : groups) {
      edges += each.edges == null ? 0 : each.edges.size() * each.labels.cost();
    }
    scope.query().claim().grow(GROUP_BYTES * groups.size() + edges);
    opened.begin(shared, (one, longest) -> slotOf(groupOf.get(one.key()), longest));
    scope.query().claim().grow(GROUP_BYTES * (opened.slots() - shared));
    for (int i = 0; i < opened.slots(); i++) {
      reused.add(new Distribution());
    }
  }

  /** Where a series is added up: apart, if it is divided by the length of its own intervals. */
  private int slotOf(@Nullable Group group, long longestMillis) {
    if (group == null) {
      return 0;
    }
    if (!isSummed || !isRate || longestMillis <= rangeMillis) {
      return group.slots.get(0);
    }
    int slot = groups.size() + apart++;
    group.slots.add(slot);
    return slot;
  }

  private void group(
      WindowReading opened, Grouping sum, ExposedForm form, Map<SeriesKey, Group> groupOf)
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
      group.add(each);
      groupOf.put(each.key(), group);
    }
    for (Group each : groups) {
      Mixtures.refuse(each.sorts);
    }
  }

  private void each(WindowReading opened, Map<SeriesKey, Group> groupOf) {
    for (ChosenSeries each : opened.series()) {
      int slot = groupOf.size();
      for (ExposedForm form : each.forms()) {
        MetricLabels labels = each.labels(form).withoutName();
        Group group = new Group(labels, form, each.unit(), edges(form, each), slot);
        group.add(each);
        groups.add(group);
        groupOf.put(each.key(), group);
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
      Map<Double, Distribution> byDivisor = new LinkedHashMap<>();
      for (int slot : each.slots) {
        SlidingSum sum = opened.slot(slot);
        if (!sum.isEmpty()) {
          Distribution counts =
              byDivisor.computeIfAbsent(divisor(sum), none -> cleared(reused.get(slot)));
          alive -= counts.allocatedBytes();
          long besides = counts.size() == 0 ? alive : alive + counts.allocatedBytes();
          opened.claimFor(sum, besides * copies());
          sum.addTo(counts);
          alive += counts.allocatedBytes();
        }
      }
      if (byDivisor.isEmpty() && each.isPresent(all.beginAt(step), all.endAt(step))) {
        int slot = each.slots.get(0);
        byDivisor.put(divisor(opened.slot(slot)), cleared(reused.get(slot)));
      }
      if (!byDivisor.isEmpty()) {
        List<HistogramValue.DividedCounts> parts = new ArrayList<>();
        byDivisor.forEach((by, counts) -> parts.add(new HistogramValue.DividedCounts(counts, by)));
        HistogramValue value = new HistogramValue(parts, each.unit, each.edges);
        elements.add(Element.of(each.labels, each.form, value, each.sorts));
      }
    }
    return elements;
  }

  private double divisor(SlidingSum sum) {
    return isRate ? Math.max(rangeMillis, sum.longestMillis()) / 1000.0 : 1;
  }

  private static Distribution cleared(Distribution counts) {
    counts.clear();
    return counts;
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
