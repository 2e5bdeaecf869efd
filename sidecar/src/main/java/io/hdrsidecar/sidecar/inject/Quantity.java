package io.hdrsidecar.sidecar.inject;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount of memory or processors as Kubernetes writes it: {@code 96Mi}, {@code 250m}. */
record Quantity(String text, BigDecimal value) implements Comparable<Quantity> {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,3})?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?");

  /**
   * Reads one; exponents, which Kubernetes allows too, are not understood.
   *
   * @throws IllegalArgumentException for anything else
   */
  static Quantity parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a quantity such as 96Mi or 250m: " + text);
    }
    BigDecimal number = new BigDecimal(matcher.group(1));
    String suffix = matcher.group(2) == null ? "" : matcher.group(2);
    return new Quantity(text, number.multiply(factor(suffix)));
  }

  private static BigDecimal factor(String suffix) {
    return switch (suffix) {
      case "m" -> new BigDecimal("0.001");
      case "k" -> BigDecimal.TEN.pow(3);
      case "M" -> BigDecimal.TEN.pow(6);
      case "G" -> BigDecimal.TEN.pow(9);
      case "T" -> BigDecimal.TEN.pow(12);
      case "Ki" -> BigDecimal.valueOf(1L << 10);
      case "Mi" -> BigDecimal.valueOf(1L << 20);
      case "Gi" -> BigDecimal.valueOf(1L << 30);
      case "Ti" -> BigDecimal.valueOf(1L << 40);
      default -> BigDecimal.ONE;
    };
  }

  @Override
  public int compareTo(Quantity other) {
    return value.compareTo(other.value);
  }

  /** Equal amounts are equal, however they are written. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && compareTo(quantity) == 0;
  }

  @Override
  public int hashCode() {
    return value.stripTrailingZeros().hashCode();
  }
}
