package io.hdrsidecar.sidecar.promql;

import java.util.List;

/** Which labels an aggregation keeps. */
public record Grouping(boolean without, List<String> labels) {
  /** Keeps none. */
  public static final Grouping NONE = new Grouping(false, List.of());

  /** Whether elements that differ in it are kept apart. */
  public boolean keeps(String label) {
    return without != labels.contains(label) && !(without && label.equals(Condition.NAME));
  }
}
