package io.hdrsidecar.sidecar.expose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The weights in an Accept header (RFC 9110, section 12.5.1), which the client's writers ignore.
 */
final class AcceptHeader {
  private static final Pattern WEIGHT = Pattern.compile("q=[01](\\.\\d{0,3})?");
  private static final Set<String> TEXT = Set.of("text/plain", "text/*", "*/*");

  private AcceptHeader() {}

  /**
   * The media ranges, those of one weight together as a header of their own, the greatest weight
   * first. Ranges of weight 0 are left out.
   */
  static List<String> byWeight(@Nullable String accept) {
    if (accept == null) {
      return List.of();
    }
    Map<Double, List<String>> byWeight = new TreeMap<>(Comparator.reverseOrder());
    for (String range : accept.split(",", -1)) {
      byWeight.computeIfAbsent(weight(range), q -> new ArrayList<>()).add(range.strip());
    }
    byWeight.remove(0.0);
    return byWeight.values().stream().map(ranges -> String.join(",", ranges)).toList();
  }

  private static double weight(String range) {
    return Arrays.stream(range.split(";", -1))
        .skip(1)
        .map(parameter -> parameter.strip().toLowerCase(Locale.ROOT))
        .filter(parameter -> WEIGHT.matcher(parameter).matches())
        .mapToDouble(parameter -> Math.min(1, Double.parseDouble(parameter.substring(2))))
        .findFirst()
        .orElse(1);
  }

  /** Whether one of the ranges takes plain text. */
  static boolean takesText(String ranges) {
    return Arrays.stream(ranges.split(",", -1))
        .map(range -> range.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
        .anyMatch(TEXT::contains);
  }
}
