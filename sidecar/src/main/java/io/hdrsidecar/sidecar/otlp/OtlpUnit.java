package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.series.Unit;
import java.util.Map;

/**
 * What Prometheus' translation makes of a unit in UCUM, and what a series makes of it.
 *
 * <p>Times of {@code s}, {@code ms}, {@code us} and {@code ns} are kept in nanoseconds and shown in
 * seconds, bytes as bytes; all others as plain numbers, with the word for the unit in the name.
 * Source: {@code prometheus/otlptranslator}, {@code metric_namer.go}.
 *
 * @param words appended to the name, with underscores in between; empty for none
 * @param kept unit of the series
 * @param valuesPerUnit how many of the series' whole numbers one unit of the sender is
 */
record OtlpUnit(String words, Unit kept, long valuesPerUnit) {
  private static final Map<String, String> MAIN =
      Map.ofEntries(
          Map.entry("d", "days"),
          Map.entry("h", "hours"),
          Map.entry("min", "minutes"),
          Map.entry("s", "seconds"),
          Map.entry("ms", "milliseconds"),
          Map.entry("us", "microseconds"),
          Map.entry("ns", "nanoseconds"),
          Map.entry("By", "bytes"),
          Map.entry("KiBy", "kibibytes"),
          Map.entry("MiBy", "mebibytes"),
          Map.entry("GiBy", "gibibytes"),
          Map.entry("TiBy", "tibibytes"),
          Map.entry("KBy", "kilobytes"),
          Map.entry("MBy", "megabytes"),
          Map.entry("GBy", "gigabytes"),
          Map.entry("TBy", "terabytes"),
          Map.entry("m", "meters"),
          Map.entry("V", "volts"),
          Map.entry("A", "amperes"),
          Map.entry("J", "joules"),
          Map.entry("W", "watts"),
          Map.entry("g", "grams"),
          Map.entry("Cel", "celsius"),
          Map.entry("Hz", "hertz"),
          Map.entry("1", ""),
          Map.entry("%", "percent"));

  private static final Map<String, String> PER =
      Map.of(
          "s", "second", "m", "minute", "h", "hour", "d", "day", "w", "week", "mo", "month", "y",
          "year");

  /** Of a unit as the sender has it; empty for none. */
  static OtlpUnit of(String ucum) {
    String unit = ucum.strip();
    return switch (unit) {
      case "s" -> new OtlpUnit("seconds", Unit.NANOSECONDS, 1_000_000_000);
      case "ms" -> new OtlpUnit("milliseconds", Unit.NANOSECONDS, 1_000_000);
      case "us" -> new OtlpUnit("microseconds", Unit.NANOSECONDS, 1_000);
      case "ns" -> new OtlpUnit("nanoseconds", Unit.NANOSECONDS, 1);
      case "By" -> new OtlpUnit("bytes", Unit.BYTES, 1);
      default -> new OtlpUnit(words(unit), Unit.NONE, 1);
    };
  }

  private static String words(String unit) {
    int slash = unit.indexOf('/');
    String main = word(slash < 0 ? unit : unit.substring(0, slash), MAIN);
    String per = slash < 0 ? "" : word(unit.substring(slash + 1), PER);
    if (per.isEmpty()) {
      return main;
    }
    return (main.isEmpty() ? "" : main + "_") + "per_" + per;
  }

  /** Annotations in braces say nothing about the unit. */
  private static String word(String part, Map<String, String> words) {
    String unit = part.strip();
    if (unit.indexOf('{') >= 0 || unit.indexOf('}') >= 0) {
      return "";
    }
    return words
        .getOrDefault(unit, unit)
        .replaceAll("[^a-zA-Z0-9:]+", "_")
        .replaceAll("^_+|_+$", "");
  }
}
