package io.hdrsidecar.client.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import org.jspecify.annotations.Nullable;

/**
 * Names of meters and tags as Micrometer's Prometheus registry forms them: dots become underscores,
 * as does any other character that Prometheus does not take, and the base unit of a distribution
 * summary is appended unless the name ends with it.
 *
 * <p>One difference: a name that starts with a digit gets an underscore in front of it, so that
 * {@code 1st} and {@code 2st} stay apart. Stateless, for any thread; takes any text, and throws
 * nothing.
 */
public final class HdrSidecarNamingConvention implements NamingConvention {
  @Override
  public String name(String name, Meter.Type type, @Nullable String baseUnit) {
    String legal = legal(name, true);
    if (type != Meter.Type.DISTRIBUTION_SUMMARY || baseUnit == null || baseUnit.isBlank()) {
      return legal;
    }
    String suffix = "_" + legal(baseUnit, true);
    return legal.endsWith(suffix) ? legal : legal + suffix;
  }

  @Override
  public String tagKey(String key) {
    return legal(key, false);
  }

  /** The text with an underscore for each character that a metric or label name must not have. */
  static String legal(String text, boolean colonAllowed) {
    StringBuilder legal = new StringBuilder(text.length() + 1);
    if (text.isEmpty() || isDigit(text.charAt(0))) {
      legal.append('_');
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      legal.append(isLetter(c) || isDigit(c) || (colonAllowed && c == ':') ? c : '_');
    }
    return legal.toString();
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
