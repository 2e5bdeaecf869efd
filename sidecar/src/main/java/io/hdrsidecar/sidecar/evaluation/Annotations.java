package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.TimeRange;
import io.hdrsidecar.sidecar.reading.BoundNotes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is to be said beside an answer: warnings where it is not quite what was asked for, infos
 * where it is and something should be known. None are left out. One thread at a time.
 */
public final class Annotations {
  private final Set<String> warnings = new LinkedHashSet<>();
  private final Set<String> infos = new LinkedHashSet<>();
  private final BoundNotes bounds = new BoundNotes();
  private Coverage coverage = Coverage.NOTHING;

  void warn(String warning) {
    warnings.add(warning);
  }

  void inform(String info) {
    infos.add(info);
  }

  /** The quantile of a histogram is in the answer. */
  void tellBoundsOf(HistogramValue histogram) {
    histogram.parts().forEach(part -> bounds.add(part.counts()));
  }

  void tell(BoundNotes more) {
    bounds.add(more);
  }

  /** How far off quantiles are; the cache of steps keeps it with them. */
  BoundNotes bounds() {
    return bounds;
  }

  /** Intervals were read. */
  void cover(Coverage more) {
    coverage = coverage.and(more);
  }

  Coverage coverage() {
    return coverage;
  }

  /** Whether nothing has been said, but for bounds. */
  boolean isQuiet() {
    return warnings.isEmpty() && infos.isEmpty();
  }

  /** Takes over what another has. */
  void addAll(Annotations other) {
    warnings.addAll(other.warnings);
    infos.addAll(other.infos);
    bounds.add(other.bounds);
    cover(other.coverage);
  }

  /** Warnings. */
  public List<String> warnings() {
    List<String> all = new ArrayList<>(warnings);
    all.addAll(bounds.texts());
    return List.copyOf(all);
  }

  /** Infos. */
  public List<String> infos() {
    return List.copyOf(infos);
  }

  /** Which time the intervals cover that were read, such as start/end; empty for none. */
  public String covered() {
    return coverage.isNothing()
        ? ""
        : TimeRange.text(coverage.fromMillis()) + "/" + TimeRange.text(coverage.toMillis());
  }

  /** Length of the longest interval that was read. */
  public long longestMillis() {
    return coverage.longestMillis();
  }
}
