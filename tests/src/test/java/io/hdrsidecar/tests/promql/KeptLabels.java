package io.hdrsidecar.tests.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which labels are kept where series are taken together.
 *
 * @param kind none, all, by or without
 */
record KeptLabels(Kind kind, List<String> labels) {
  /** How it is written. */
  enum Kind {
    /** Series are not taken together. */
    NONE,
    /** No label is kept. */
    ALL,
    BY,
    WITHOUT
  }

  static final KeptLabels NONE = new KeptLabels(Kind.NONE, List.of());

  /** The labels that are left of these. */
  Map<String, String> of(Map<String, String> all) {
    Map<String, String> left = new TreeMap<>(all);
    switch (kind) {
      case NONE -> left.remove("__name__");
      case ALL -> left.clear();
      case BY -> left.keySet().retainAll(labels);
      case WITHOUT -> {
        left.keySet().removeAll(labels);
        left.remove("__name__");
      }
    }
    return left;
  }

  /** An aggregation so grouped; with a further label that it must keep, such as {@code le}. */
  String text(String aggregator, String of, String... kept) {
    return switch (kind) {
      case NONE -> of;
      case ALL -> kept.length == 0 ? aggregator + "(" + of + ")" : by(aggregator, of, kept);
      case BY -> by(aggregator, of, kept);
      case WITHOUT -> aggregator + " without (" + String.join(", ", labels) + ") (" + of + ")";
    };
  }

  private String by(String aggregator, String of, String... kept) {
    List<String> all = new ArrayList<>(List.of(kept));
    all.addAll(labels);
    return aggregator + " by (" + String.join(", ", all) + ") (" + of + ")";
  }
}
