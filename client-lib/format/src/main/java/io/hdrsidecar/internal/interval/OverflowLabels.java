package io.hdrsidecar.internal.interval;

import io.hdrsidecar.series.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The labels of an overflow series, which counts what further label sets of a name would have
 * counted in series of their own.
 *
 * <p>They are {@code overflow="true"} and those labels without which values would be added up that
 * must not be: {@code corrected}, which tells estimates from what was measured, and {@code kind},
 * if it says which time of a call it is. A name has {@value #MOST} such label sets at most,
 * whatever is sent: another {@code kind} is left out, like any label that does not forbid adding
 * up, and another correction than the usual becomes {@code corrected="other"}.
 */
public final class OverflowLabels {
  /** Most overflow series that one name can have. */
  public static final int MOST = 12;

  /** The label that marks overflow series. */
  public static final String MARK = "overflow";

  private static final String CORRECTED = "corrected";
  private static final String OTHER = "other";
  private static final List<String> CORRECTIONS = List.of("", "expected_interval", OTHER);

  private static final String KIND = "kind";
  private static final List<String> KINDS = List.of("", "response", "service", "wait");

  /** One object for each, as they are asked for with every label set above the limit. */
  private static final Map<CorrectionAndKind, Labels> ALL = all();

  private record CorrectionAndKind(String corrected, String kind) {}

  private OverflowLabels() {}

  private static Map<CorrectionAndKind, Labels> all() {
    Map<CorrectionAndKind, Labels> all = new HashMap<>();
    for (String corrected : CORRECTIONS) {
      for (String kind : KINDS) {
        all.put(
            new CorrectionAndKind(corrected, kind),
            Labels.of(MARK, "true", CORRECTED, corrected, KIND, kind));
      }
    }
    return Map.copyOf(all);
  }

  /** Of the series in which values of a series with these labels are counted above the limit. */
  public static Labels of(Labels labels) {
    String corrected = labels.get(CORRECTED);
    String kind = labels.get(KIND);
    CorrectionAndKind kept =
        new CorrectionAndKind(
            CORRECTIONS.contains(corrected) ? corrected : OTHER, KINDS.contains(kind) ? kind : "");
    Labels overflow = ALL.get(kept);
    if (overflow == null) {
      throw new IllegalStateException("no overflow labels for " + kept);
    }
    return overflow;
  }

  /** Whether these are the labels of an overflow series, and no others. */
  public static boolean areThese(Labels labels) {
    return labels.equals(of(labels));
  }
}
