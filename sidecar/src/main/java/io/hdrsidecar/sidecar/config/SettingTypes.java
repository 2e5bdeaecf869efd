package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.input.DurationText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the texts of settings become values, and how the values are described. */
final class SettingTypes {
  private SettingTypes() {}

  static Setting<String> text(String key, String defaultText, String form, String description) {
    return new Setting<>(key, defaultText, form, description, SettingTypes::notEmpty);
  }

  /** A text that may be empty. */
  static Setting<String> optionalText(String key, String form, String description) {
    return new Setting<>(key, "", form, description, String::strip);
  }

  /** False unless set; the flag alone sets it. */
  static Setting<Boolean> truth(String key, String description) {
    return new Setting<>(key, "false", Setting.TRUTH, description, SettingTypes::truth);
  }

  private static Boolean truth(String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false: " + text);
    };
  }

  private static String notEmpty(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("must not be empty");
    }
    return text.strip();
  }

  static Setting<Integer> integer(
      String key, String defaultText, int min, int max, String description) {
    String form = "number, " + min + " to " + max;
    return new Setting<>(key, defaultText, form, description, text -> intWithin(text, min, max));
  }

  static int intWithin(String text, int min, int max) {
    try {
      int value = Integer.parseInt(text.strip());
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException("must be a number from " + min + " to " + max + ": " + text);
  }

  static Setting<Integer> size(
      String key, String defaultText, String min, String max, String description) {
    return new Setting<>(
        key,
        defaultText,
        "size, " + min + " to " + max,
        description,
        text -> (int) sizeWithin(text, min, max));
  }

  static Setting<Long> longSize(
      String key, String defaultText, String min, String max, String description) {
    return new Setting<>(
        key,
        defaultText,
        "size, " + min + " to " + max,
        description,
        text -> sizeWithin(text, min, max));
  }

  static Setting<Boolean> onOff(String key, String defaultText, String description) {
    return new Setting<>(key, defaultText, "on or off", description, SettingTypes::isOn);
  }

  /** YAML reads a bare {@code on} or {@code off} as true or false. */
  private static boolean isOn(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> throw new IllegalArgumentException("must be on or off: " + text);
    };
  }

  /** One of the constants, written in lower case. */
  static <T extends Enum<T>> Setting<T> oneOf(
      String key, String defaultText, List<T> constants, String description) {
    String form =
        constants.stream()
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "));
    return new Setting<>(
        key,
        defaultText,
        form,
        description,
        text ->
            constants.stream()
                .filter(constant -> constant.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be " + form + ": " + text)));
  }

  static long sizeWithin(String text, String min, String max) {
    long bytes = SizeText.parse(text.strip());
    if (bytes < SizeText.parse(min) || bytes > SizeText.parse(max)) {
      throw new IllegalArgumentException("must be from " + min + " to " + max + ": " + text);
    }
    return bytes;
  }

  static Setting<Duration> duration(
      String key, String defaultText, String min, String max, String description) {
    return new Setting<>(
        key,
        defaultText,
        "duration, " + min + " to " + max,
        description,
        text -> durationWithin(text, min, max));
  }

  private static Duration durationWithin(String text, String min, String max) {
    Duration duration = DurationText.parse(text.strip());
    if (duration.compareTo(DurationText.parse(min)) < 0
        || duration.compareTo(DurationText.parse(max)) > 0) {
      throw new IllegalArgumentException("must be from " + min + " to " + max + ": " + text);
    }
    return duration;
  }

  /** A path, or nothing. */
  static Setting<Optional<Path>> optionalPath(String key, String form, String description) {
    return new Setting<>(key, "", form, description, SettingTypes::path);
  }

  private static Optional<Path> path(String text) {
    try {
      return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text.strip()));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("not a path: " + text, e);
    }
  }

  /** Numbers separated by commas, ascending; nothing gives an empty list. */
  static Setting<List<Double>> numbers(
      String key, String defaultText, String form, double min, double max, String description) {
    return new Setting<>(
        key, defaultText, form, description, text -> ascendingWithin(text, min, max));
  }

  private static List<Double> ascendingWithin(String text, double min, double max) {
    if (text.isBlank()) {
      return List.of();
    }
    List<Double> numbers = Arrays.stream(text.split(",", -1)).map(SettingTypes::number).toList();
    for (int i = 0; i < numbers.size(); i++) {
      double number = numbers.get(i);
      if (!(number >= min && number <= max) || (i > 0 && number <= numbers.get(i - 1))) {
        throw new IllegalArgumentException("out of range or order: " + text);
      }
    }
    return numbers;
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number: " + text, e);
    }
  }
}
