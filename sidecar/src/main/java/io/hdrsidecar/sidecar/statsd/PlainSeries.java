package io.hdrsidecar.sidecar.statsd;

/**
 * A counter or a gauge as it stands. One thread changes it, any thread reads.
 *
 * <p>A counter adds what is sent, each value as often as its sample rate says, with fractions. A
 * gauge keeps the last value, and adds one that has a sign.
 */
final class PlainSeries {
  private final PlainName name;
  private final long sinceMillis;
  private volatile double value;
  private long usedAtMillis;
  private boolean ended;

  PlainSeries(PlainName name, long nowMillis) {
    this.name = name;
    this.sinceMillis = nowMillis;
    this.usedAtMillis = nowMillis;
  }

  PlainName name() {
    return name;
  }

  /** Milliseconds since the epoch at which it began at 0. */
  long sinceMillis() {
    return sinceMillis;
  }

  double value() {
    return value;
  }

  long usedAtMillis() {
    return usedAtMillis;
  }

  /** Whether it is not shown any more. */
  boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  /**
   * Takes a value.
   *
   * @param scale by which it is multiplied: that of the rule by which this line came here
   * @param weight how many values it stands for, 1 or more
   * @param hasSign whether it was sent with a sign
   * @return whether it could be: a counter does not fall, and neither becomes infinite
   */
  boolean take(DecimalNumber number, double scale, double weight, boolean hasSign, long nowMillis) {
    double amount = number.toDouble() * scale;
    double signed = number.isNegative() ? -amount : amount;
    double next;
    if (name.isCounter()) {
      next = value + signed * weight;
    } else {
      next = hasSign ? value + signed : signed;
    }
    if (!Double.isFinite(next) || (name.isCounter() && signed < 0)) {
      return false;
    }
    value = next;
    usedAtMillis = nowMillis;
    return true;
  }
}
