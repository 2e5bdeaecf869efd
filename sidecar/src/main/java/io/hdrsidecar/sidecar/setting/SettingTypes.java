package io.hdrsidecar.sidecar.setting;

import io.hdrsidecar.sidecar.input.DurationText;
import java.lang.reflect.Constructor;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the texts of settings become values, by the type of the component that has the value. */
public final class SettingTypes {
  private SettingTypes() {}

  /** What is expected, for people. */
  static String form(Class<?> type, Setting setting) {
    if (type == boolean.class) {
      return isTruth(setting) ? DeclaredSetting.TRUTH : "on or off";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(" or "));
    }
    String kind = type == Duration.class ? "duration, " : isSize(setting) ? "size, " : "number, ";
    return kind + setting.range();
  }

  private static boolean isSize(Setting setting) {
    return setting.range().endsWith("B");
  }

  private static boolean isTruth(Setting setting) {
    return setting.byDefault().equals("false");
  }

  static SettingParser parser(Class<?> type, Setting setting) {
    String range = setting.range();
    if (setting.parser() != SettingParser.class) {
      return custom(setting);
    } else if (type == boolean.class) {
      return isTruth(setting) ? (text, heap) -> truth(text) : (text, heap) -> isOn(text);
    } else if (type == int.class) {
      return isSize(setting)
          ? (text, heap) -> (int) sizeWithin(text, range)
          : (text, heap) -> intWithin(text, range);
    } else if (type == long.class) {
      return (text, heap) -> sizeWithin(text, range);
    } else if (type == Duration.class) {
      return (text, heap) -> durationWithin(text, range);
    } else if (type == Path.class) {
      return (text, heap) -> path(text);
    } else if (type == String.class) {
      return (text, heap) -> text(text, setting);
    } else if (type == List.class) {
      return (text, heap) -> ascendingWithin(text, range);
    } else if (type.isEnum()) {
      return (text, heap) -> constant(text, type, form(type, setting));
    }
    throw new IllegalStateException(setting.key() + ": needs a parser for a " + type);
  }

  private static SettingParser custom(Setting setting) {
    try {
      Constructor<? extends SettingParser> made = setting.parser().getDeclaredConstructor();
      made.setAccessible(true); // of parsers that only the record's package sees
      return made.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(setting.key() + ": parser cannot be made", e);
    }
  }

  private static boolean truth(String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false: " + text);
    };
  }

  /** YAML reads a bare {@code on} or {@code off} as true or false. */
  private static boolean isOn(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default -> throw new IllegalArgumentException("must be on or off: " + text);
    };
  }

  /** May be empty if nothing is the default. */
  private static @Nullable String text(String text, Setting setting) {
    if (text.isBlank() && !setting.byDefault().isEmpty()) {
      throw new IllegalArgumentException("must not be empty");
    }
    return text.isBlank() ? null : text.strip();
  }

  /**
   * A number.
   *
   * @param range such as {@code 1 to 64}
   */
  public static int intWithin(String text, String range) {
    try {
      int value = Integer.parseInt(text.strip());
      if (value >= Integer.parseInt(least(range)) && value <= Integer.parseInt(greatest(range))) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException("must be a number from " + range + ": " + text);
  }

  private static String least(String range) {
    return range.substring(0, range.indexOf(" to "));
  }

  private static String greatest(String range) {
    return range.substring(range.indexOf(" to ") + " to ".length());
  }

  /**
   * A size in bytes.
   *
   * @param range such as {@code 1KiB to 64GiB}
   */
  public static long sizeWithin(String text, String range) {
    long bytes = SizeText.parse(text.strip());
    requireWithin(
        bytes, SizeText.parse(least(range)), SizeText.parse(greatest(range)), range, text);
    return bytes;
  }

  private static Duration durationWithin(String text, String range) {
    Duration duration = DurationText.parse(text.strip());
    requireWithin(
        duration,
        DurationText.parse(least(range)),
        DurationText.parse(greatest(range)),
        range,
        text);
    return duration;
  }

  private static <T extends Comparable<T>> void requireWithin(
      T value, T least, T greatest, String range, String text) {
    if (value.compareTo(least) < 0 || value.compareTo(greatest) > 0) {
      throw new IllegalArgumentException("must be from " + range + ": " + text);
    }
  }

  /** A path, without blanks around it; null for nothing. Throws IllegalArgumentException. */
  public static @Nullable Path path(String text) {
    try {
      return text.isBlank() ? null : Path.of(text.strip());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("not a path: " + text, e);
    }
  }

  /** Written in lower case. */
  private static Object constant(String text, Class<?> type, String form) {
    for (Object constant : type.getEnumConstants()) {
      if (constant.toString().equalsIgnoreCase(text.strip())) {
        return constant;
      }
    }
    throw new IllegalArgumentException("must be " + form + ": " + text);
  }

  /** Numbers separated by commas, ascending; nothing gives an empty list. */
  private static List<Double> ascendingWithin(String text, String range) {
    if (text.isBlank()) {
      return List.of();
    }
    double least = range.isEmpty() ? 0 : Double.parseDouble(least(range));
    double greatest = range.isEmpty() ? Double.MAX_VALUE : Double.parseDouble(greatest(range));
    List<Double> numbers = Arrays.stream(text.split(",", -1)).map(SettingTypes::number).toList();
    for (int i = 0; i < numbers.size(); i++) {
      double number = numbers.get(i);
      if (!(number >= least && number <= greatest) || (i > 0 && number <= numbers.get(i - 1))) {
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
