package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.series.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What Prometheus' translation makes of a unit in UCUM, and what a series makes of it.
 *
 * <p>Times of {@code s}, {@code ms}, {@code us} and {@code ns} are kept in nanoseconds and shown in
 * seconds, bytes as bytes; all others as plain numbers, with the word for the unit in the name.
 * Source: {@code prometheus/otlptranslator}, {@code metric_namer.go}.
 *
 * @param word that the exposition appends in a form of its own; empty for none
 * @param kept unit of the series
 * @param valuesPerUnit how many of the series' whole numbers one unit of the sender is
 */
record OtlpUnit(String word, Unit kept, long valuesPerUnit) {
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
      default -> new OtlpUnit("", Unit.NONE, 1);
    };
  }

  /** The words that Prometheus appends for a unit, in order: what it is, and per what. */
  static List<String> words(String ucum) {
    int slash = ucum.indexOf('/');
    String main = word(slash < 0 ? ucum : ucum.substring(0, slash), MAIN);
    String per = slash < 0 ? "" : word(ucum.substring(slash + 1), PER);
    List<String> words = new ArrayList<>();
    if (!main.isEmpty()) {
      words.add(main);
    }
    if (!per.isEmpty()) {
      words.add("per_" + per);
    }
    return words;
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
