package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;

/** Compares what an INTERVAL says about its values with the buckets of its payload. */
public final class IntervalCheck {
  private IntervalCheck() {}

  /**
   * Count, minimum, maximum, sum and times.
   *
   * @param decoded the payload of the frame
   * @throws RefusedException when they do not agree
   */
  public static void require(IntervalFrame frame, DecodedHistogram decoded)
      throws RefusedException {
    checkCount(frame, decoded);
    checkSumMinMax(frame.sumMinMax(), decoded);
    checkTime(frame);
  }

  private static void checkCount(IntervalFrame frame, DecodedHistogram decoded)
      throws RefusedException {
    long total = decoded.counts().total();
    if (frame.count() != total || total == 0) {
      throw refused(
          RejectReason.COUNT_MISMATCH,
          "count must be that of the payload and not 0: " + frame.count() + " and " + total);
    }
  }

  private static void checkSumMinMax(SumMinMax sumMinMax, DecodedHistogram decoded)
      throws RefusedException {
    boolean minInFirst =
        sumMinMax.min() >= decoded.lowestValue()
            && sumMinMax.min() <= decoded.layout().highestValueAt(decoded.counts().indexAt(0));
    int last = decoded.counts().indexAt(decoded.counts().size() - 1);
    boolean maxInLast =
        sumMinMax.max() >= decoded.layout().lowestValueAt(last)
            && sumMinMax.max() <= decoded.highestValue();
    if (!minInFirst || !maxInLast || sumMinMax.min() > sumMinMax.max()) {
      throw refused(
          RejectReason.COUNT_MISMATCH,
          "minimum and maximum must lie in the first and the last non-zero bucket: "
              + sumMinMax.min()
              + " and "
              + sumMinMax.max());
    }
    if (sumMinMax.sum().high() < 0) {
      throw refused(RejectReason.COUNT_MISMATCH, "sum must not be negative");
    }
  }

  private static void checkTime(IntervalFrame frame) throws RefusedException {
    if (frame.endMillis() < frame.startMillis()) {
      throw refused(
          RejectReason.BAD_TIME,
          "interval must not end before it starts: "
              + frame.startMillis()
              + " to "
              + frame.endMillis());
    }
  }

  private static RefusedException refused(RejectReason reason, String message) {
    return new RefusedException(reason, message);
  }
}
