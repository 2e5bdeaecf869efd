package io.hdrsidecar.sidecar.plain;

import java.math.BigDecimal;

/**
 * A counter or a gauge as it stands. One thread changes it, any thread reads.
 *
 * <p>A counter adds what is sent, with fractions. A gauge keeps the last value, or adds. What is
 * added is kept to some 30 digits, so that thousands of additions show what they amount to.
 */
public final class PlainSeries {
  private final PlainSource source;
  private final PlainName name;
  private final long sinceMillis;
  private double near;

  /** What {@link #near} is less than the amount, by as many digits again. */
  private double rest;

  private volatile double value;
  private long atNanos;
  private long usedAtMillis;
  private boolean ended;

  PlainSeries(PlainSource source, PlainName name, long nowMillis) {
    this.source = source;
    this.name = name;
    this.sinceMillis = nowMillis;
    this.usedAtMillis = nowMillis;
  }

  PlainSource source() {
    return source;
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

  /** When its last value was measured, nanoseconds since the epoch; 0 where nobody has said. */
  public long atNanos() {
    return atNanos;
  }

  /** Whether it is not shown any more. */
  public boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  /**
   * Takes a value that is finite or too large to be.
   *
   * @param sent as it is to be counted, with its sign
   * @param weight how many values it stands for, 1 or more; a gauge takes it once
   * @param isAdded whether a gauge adds it, and does not become it; a counter adds in any case
   * @param nowMillis since the epoch
   * @return whether it could be: a counter does not fall, and neither becomes infinite
   */
  public boolean take(double sent, double weight, boolean isAdded, long nowMillis) {
    if (name.isCounter()) {
      return sent >= 0 && add(sent * weight, 0, nowMillis);
    }
    if (isAdded) {
      return add(sent, 0, nowMillis);
    }
    if (!Double.isFinite(sent)) {
      return false;
    }
    set(sent, 0, nowMillis);
    return true;
  }

  /**
   * Adds an amount, to its last digit.
   *
   * @param nowMillis since the epoch
   * @return whether it could be: a counter does not fall, and neither becomes infinite
   */
  public boolean add(BigDecimal amount, long nowMillis) {
    double most = amount.doubleValue();
    if (!Double.isFinite(most) || (name.isCounter() && amount.signum() < 0)) {
      return false;
    }
    return add(most, amount.subtract(new BigDecimal(most)).doubleValue(), nowMillis);
  }

  /** Adds both, the second far smaller than the first. */
  private boolean add(double amount, double smaller, long nowMillis) {
    double sum = near + amount;
    if (!Double.isFinite(sum)) {
      return false;
    }
    // What the sum has lost of the smaller one: Neumaier's way to add.
    double lost =
        Math.abs(near) >= Math.abs(amount) ? (near - sum) + amount : (amount - sum) + near;
    rest += lost + smaller;
    near = sum;
    double next = near + rest;
    value = name.isCounter() ? Math.max(value, next) : next;
    usedAtMillis = nowMillis;
    return true;
  }

  /**
   * Is this value from now on, of a gauge; any number, infinite or none.
   *
   * @param measuredNanos when it was measured, since the epoch; 0 where nobody has said
   * @param nowMillis since the epoch
   */
  public void set(double sent, long measuredNanos, long nowMillis) {
    near = sent;
    rest = 0;
    value = sent;
    atNanos = measuredNanos;
    usedAtMillis = nowMillis;
  }
}
