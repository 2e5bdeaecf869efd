package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.query.Selector;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All raw series of a name, of one kind or without kinds: what a dashboard shows in one number.
 *
 * @param name without unit, as in {@code <name>_window_seconds}
 * @param kind value of the label {@code kind}; empty for none
 */
record WholeSeries(String name, String kind) {
  private static final String KIND = "kind";
  private static final String CORRECTED = "corrected";
  private static final Set<String> ASKED = Set.of(Selector.NAME_LABEL, KIND, CORRECTED);

  /** What a rule is about; nothing when its selector asks more of labels, or several names. */
  static Optional<WholeSeries> of(SlaRule rule) {
    Map<String, String> asked = rule.parsedSelector().equalities();
    String name = asked.getOrDefault(Selector.NAME_LABEL, "");
    if (name.isEmpty()
        || !ASKED.containsAll(asked.keySet())
        || !asked.getOrDefault(CORRECTED, "").isEmpty()) {
      return Optional.empty();
    }
    String unit = "_" + rule.baseUnit();
    String stem = name.endsWith(unit) ? name.substring(0, name.length() - unit.length()) : name;
    return Optional.of(new WholeSeries(stem, asked.getOrDefault(KIND, "")));
  }
}
