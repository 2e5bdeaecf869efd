package io.hdrsidecar.sidecar.promql;

import org.jspecify.annotations.Nullable;

/**
 * At what other time an expression is to be evaluated.
 *
 * @param offsetMillis how much earlier; below 0 for later
 * @param anchor what {@code @} names
 * @param atMillis the time, if it names one, since the epoch
 */
public record Shift(long offsetMillis, @Nullable Anchor anchor, long atMillis) {
  /** Where it stands. */
  public static final Shift NONE = new Shift(0, null, 0);

  /** What {@code @} may name. */
  public enum Anchor {
    TIME,
    START,
    END
  }

  Shift earlier(long millis) {
    return new Shift(millis, anchor, atMillis);
  }

  Shift to(Anchor at, long millis) {
    return new Shift(offsetMillis, at, millis);
  }

  /** The time that is meant, for an evaluation at a time within a range. */
  public long apply(long millis, long startMillis, long endMillis) {
    long base = millis;
    if (anchor == Anchor.TIME) {
      base = atMillis;
    } else if (anchor == Anchor.START) {
      base = startMillis;
    } else if (anchor == Anchor.END) {
      base = endMillis;
    }
    return base - offsetMillis;
  }

  /** Whether it leads to the same time of each evaluation or to an earlier one, always as far. */
  public boolean looksBack() {
    return anchor == null && offsetMillis >= 0;
  }
}
