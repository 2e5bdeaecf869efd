package io.hdrsidecar.sidecar.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is to be said beside an answer whose counts lie in buckets that are not HdrHistogram's, in
 * words: the worst of all distributions that it is made of. One thread at a time.
 */
public final class BoundNotes {
  private boolean any;
  private boolean isUnbounded;
  private double bound;

  /** The answer tells of these, too. */
  public void add(Distribution counts) {
    if (counts.isUnbounded()) {
      isUnbounded = true;
    } else if (counts.hasForeignBuckets()) {
      any = true;
      bound = Math.max(bound, counts.bound());
    }
  }

  /** It tells of what another tells of, too. */
  public void add(BoundNotes other) {
    any |= other.any;
    isUnbounded |= other.isUnbounded;
    bound = Math.max(bound, other.bound);
  }

  /** None, where all buckets are HdrHistogram's. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    if (any) {
      texts.add(
          "buckets are kept as they came: a percentile is the upper edge of one, "
              + (Double.isInfinite(bound)
                  ? "and the lowest begins at 0"
                  : String.format(Locale.ROOT, "up to %.2f %% above the value", roundedUp(bound))));
    }
    if (isUnbounded) {
      texts.add(
          "values lie in a bucket without an upper bound, and their maximum was not sent: "
              + Long.MAX_VALUE
              + " stands for no bound");
    }
    return texts;
  }

  /** In percent, with two decimals. */
  private static double roundedUp(double bound) {
    return Math.ceil(bound * 10_000) / 100;
  }
}
