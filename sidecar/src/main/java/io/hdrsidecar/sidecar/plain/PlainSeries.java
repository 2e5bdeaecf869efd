package io.hdrsidecar.sidecar.plain;

/**
 * A counter or a gauge as it stands. One thread changes it, any thread reads.
 *
 * <p>A counter adds what is sent, each value as often as its sample rate says, with fractions. A
 * gauge keeps the last value, and adds one that has a sign.
 */
public final class PlainSeries {
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
  public boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  /**
   * Takes a value.
   *
   * @param sent as it is to be counted, with its sign
   * @param weight how many values it stands for, 1 or more; a gauge takes it once
   * @param isAdded whether a gauge adds it, and does not become it; a counter adds in any case
   * @param nowMillis since the epoch
   * @return whether it could be: a counter does not fall, and neither becomes infinite
   */
  public boolean take(double sent, double weight, boolean isAdded, long nowMillis) {
    double next;
    if (name.isCounter()) {
      next = value + sent * weight;
    } else {
      next = isAdded ? value + sent : sent;
    }
    if (!Double.isFinite(next) || (name.isCounter() && sent < 0)) {
      return false;
    }
    value = next;
    usedAtMillis = nowMillis;
    return true;
  }
}
