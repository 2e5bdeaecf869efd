package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.query.TimeRange;
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
  private long fromMillis = Long.MAX_VALUE;
  private long toMillis = Long.MIN_VALUE;
  private long longestMillis;

  void warn(String warning) {
    warnings.add(warning);
  }

  void inform(String info) {
    infos.add(info);
  }

  /** Intervals were read that lie there. */
  void cover(long from, long to, long longest) {
    fromMillis = Math.min(fromMillis, from);
    toMillis = Math.max(toMillis, to);
    longestMillis = Math.max(longestMillis, longest);
  }

  /** Takes over what another has. */
  void addAll(Annotations other) {
    warnings.addAll(other.warnings);
    infos.addAll(other.infos);
    cover(other.fromMillis, other.toMillis, other.longestMillis);
  }

  /** Warnings. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Infos. */
  public List<String> infos() {
    return new ArrayList<>(infos);
  }

  /** Which time the intervals cover that were read, such as start/end; empty for none. */
  public String covered() {
    return toMillis < fromMillis ? "" : TimeRange.text(fromMillis) + "/" + TimeRange.text(toMillis);
  }

  /** Length of the longest interval that was read. */
  public long longestMillis() {
    return longestMillis;
  }
}
