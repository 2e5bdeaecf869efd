package io.hdrsidecar.sidecar.metric;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Amounts of something that happens now and then, such as times or sizes. Any thread. */
public final class Amounts {
  /** How many there were, and their sum. */
  public record CountAndSum(long count, double sum) {}

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanoTime;
  private long count;
  private double sum;
  private long minuteNanos;
  private double ofMinute;
  private double ofMinuteBefore;

  /**
   * None yet.
   *
   * @param nanoTime a clock like System::nanoTime
   */
  public Amounts(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.minuteNanos = nanoTime.getAsLong();
  }

  /** One more. */
  public synchronized void add(double amount) {
    turn();
    count++;
    sum += amount;
    ofMinute = Math.max(ofMinute, amount);
  }

  /** All so far. */
  public synchronized CountAndSum totals() {
    return new CountAndSum(count, sum);
  }

  /** The greatest of the last one to two minutes, 0 if there was none. */
  public synchronized double recentMax() {
    turn();
    return Math.max(ofMinute, ofMinuteBefore);
  }

  private void turn() {
    long now = nanoTime.getAsLong();
    long passed = now - minuteNanos;
    if (passed >= MINUTE_NANOS) {
      ofMinuteBefore = passed < 2 * MINUTE_NANOS ? ofMinute : 0;
      ofMinute = 0;
      minuteNanos = now;
    }
  }
}
