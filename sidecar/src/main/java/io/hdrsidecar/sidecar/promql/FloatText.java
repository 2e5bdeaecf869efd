package io.hdrsidecar.sidecar.promql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Numbers as Go writes them: the fewest digits that give the same number back. */
public final class FloatText {

  private FloatText() {}

  /** As {@code %f}: never with an exponent. */
  static String plain(double value) {
    String special = special(value);
    return special == null ? withoutExponent(value) : special;
  }

  /** As Prometheus' HTTP API: with an exponent below 0.000001 and from 1e21 on. */
  public static String ofSample(double value) {
    String special = special(value);
    if (special != null) {
      return special;
    }
    double size = Math.abs(value);
    return size == 0 || (size >= 1e-6 && size < 1e21)
        ? withoutExponent(value)
        : scientific(shortest(value));
  }

  /** As the edge of a classic bucket, as Prometheus spells it when it scrapes one. */
  public static String ofEdge(double value) {
    String special = special(value);
    if (special != null) {
      return special;
    }
    double size = Math.abs(value);
    boolean plain = size == 0 || (size >= 1e-4 && size < 1e6);
    if (!plain) {
      return scientific(shortest(value));
    }
    String text = withoutExponent(value);
    return text.indexOf('.') < 0 ? text + ".0" : text;
  }

  private static String withoutExponent(double value) {
    double size = Math.abs(value);
    if (size == Math.rint(size) && size < 1e15) {
      return (Double.compare(value, -0.0) == 0 ? "-" : "") + (long) value;
    }
    return shortest(value).toPlainString();
  }

  private static @Nullable String special(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return null;
  }

  /** Of the JDK's digits, which before JDK 19 may be one or two too many. */
  private static BigDecimal shortest(double value) {
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    for (int precision = digits.precision() - 1; precision > 0; precision--) {
      BigDecimal shorter = digits.round(new MathContext(precision, RoundingMode.HALF_EVEN));
      if (shorter.doubleValue() != value) {
        break;
      }
      digits = shorter.stripTrailingZeros();
    }
    return digits;
  }

  private static String scientific(BigDecimal digits) {
    String all = digits.unscaledValue().abs().toString();
    int exponent = all.length() - 1 - digits.scale();
    String mantissa = all.length() == 1 ? all : all.charAt(0) + "." + all.substring(1);
    String sign = digits.signum() < 0 ? "-" : "";
    String of = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : "" + Math.abs(exponent);
    return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + of;
  }
}
