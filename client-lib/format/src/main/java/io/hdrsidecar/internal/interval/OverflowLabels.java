package io.hdrsidecar.internal.interval;

import io.hdrsidecar.series.Labels;
import java.util.List;
import java.util.stream.Stream;

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
  private static final List<Labels> ALL =
      CORRECTIONS.stream().flatMap(OverflowLabels::ofAllKinds).toList();

  private OverflowLabels() {}

  private static Stream<Labels> ofAllKinds(String corrected) {
    return KINDS.stream().map(kind -> Labels.of(MARK, "true", CORRECTED, corrected, KIND, kind));
  }

  /** Of the series in which values of a series with these labels are counted above the limit. */
  public static Labels of(Labels labels) {
    int correction = CORRECTIONS.indexOf(labels.get(CORRECTED));
    int known = correction < 0 ? CORRECTIONS.indexOf(OTHER) : correction;
    int kind = Math.max(KINDS.indexOf(labels.get(KIND)), 0); // The first is that of no kind.
    return ALL.get(known * KINDS.size() + kind);
  }

  /** Whether these are the labels of an overflow series, and no others. */
  public static boolean areThese(Labels labels) {
    return labels.equals(of(labels));
  }
}
