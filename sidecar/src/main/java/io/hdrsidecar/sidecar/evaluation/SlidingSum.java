package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.sidecar.counts.PackedCounts;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.reading.LayoutSums;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * What was counted within a window that moves forward. Time is cut where windows begin and end, so
 * that each piece between two cuts is in a window as a whole or not at all. An interval is read
 * once, into the piece that it ended in; what a piece has counted is subtracted when the window
 * leaves it. Counts are whole numbers, so the sum never drifts. One thread at a time.
 */
final class SlidingSum {
  private static final long PIECE_BYTES = 160;

  /** What one layout counted in one piece. */
  private static final class Piece {
    private final long fromMillis;
    private final BucketLayout layout;
    private final byte[] packed;
    private final SumMinMax sumMinMax = new SumMinMax();
    private final long longestMillis;

    Piece(long fromMillis, BucketLayout layout, byte[] packed, SumMinMax of, long longestMillis) {
      this.fromMillis = fromMillis;
      this.layout = layout;
      this.packed = packed;
      this.sumMinMax.set(of);
      this.longestMillis = longestMillis;
    }
  }

  private final boolean overlaps;
  private final LayoutSums sums = new LayoutSums();
  private final IntervalSum filling;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private final SparseCounts scratch = new SparseCounts();
  private byte[] packed = {};
  private long pieceBytes;
  private long longestMillis;

  /**
   * Of nothing.
   *
   * @param overlaps whether a window begins before the one in front of it has ended
   * @param ofMany whether it may take more memory, as there are few of them
   */
  SlidingSum(boolean overlaps, boolean ofMany) {
    this.overlaps = overlaps;
    this.filling = ofMany ? IntervalSum.ofMany() : new IntervalSum();
  }

  /** Adds an interval to the piece at hand. */
  void add(PastInterval interval) throws IOException {
    filling.add(interval);
  }

  /** The piece at hand has ended; {@code fromMillis} is where it begins. */
  void endPiece(long fromMillis) {
    filling.counts().forEach(sum -> take(sum, fromMillis));
    longestMillis = Math.max(longestMillis, filling.range().longestMillis());
    filling.clear();
  }

  private void take(Accumulation sum, long fromMillis) {
    BucketLayout layout = sum.counts().layout();
    sums.of(layout).add(sum);
    if (overlaps) {
      scratch.clear();
      sum.counts().appendTo(scratch);
      byte[] bytes = packed();
      pieces.add(
          new Piece(fromMillis, layout, bytes, sum.sumMinMax(), filling.range().longestMillis()));
      pieceBytes += PIECE_BYTES + bytes.length;
    }
  }

  private byte[] packed() {
    int most = PackedCounts.maxBytes(scratch);
    if (packed.length < most) {
      packed = new byte[most];
    }
    return Arrays.copyOf(packed, PackedCounts.write(scratch, packed, 0));
  }

  /** Whether {@link #leave} would change anything. */
  boolean mayLeave(long fromMillis) {
    return overlaps
        ? !pieces.isEmpty() && pieces.peek().fromMillis < fromMillis
        : sums.layouts() > 0;
  }

  /** The window begins there now: what ended before, or at, is no longer in it. */
  void leave(long fromMillis) {
    if (!overlaps) {
      sums.clear();
      longestMillis = 0;
      return;
    }
    boolean left = false;
    while (!pieces.isEmpty() && pieces.peek().fromMillis < fromMillis) {
      subtract(pieces.remove());
      left = true;
    }
    if (left) {
      refresh();
    }
  }

  private void subtract(Piece piece) {
    PackedCounts.read(piece.packed, 0, piece.packed.length, scratch);
    Accumulation sum = sums.of(piece.layout);
    PagedCounts counts = sum.counts();
    counts.subtract(scratch);
    sum.sum().subtract(piece.sumMinMax.sum().high(), piece.sumMinMax.sum().low());
    pieceBytes -= PIECE_BYTES + piece.packed.length;
    if (sum.isEmpty()) {
      sum.clear(); // Its extremes, too.
    }
  }

  /** Extremes cannot be subtracted: those of the pieces that stay. */
  private void refresh() {
    longestMillis = 0;
    sums.forEach(
        sum -> {
          long min = Long.MAX_VALUE;
          long max = 0;
          boolean exact = true;
          for (Piece piece : pieces) {
            if (piece.layout.equals(sum.counts().layout())) {
              min = Math.min(min, piece.sumMinMax.min());
              max = Math.max(max, piece.sumMinMax.max());
              exact &= piece.sumMinMax.isSumExact();
            }
          }
          sum.sumMinMax().set(sum.sum().high(), sum.sum().low(), exact, min, max);
        });
    for (Piece piece : pieces) {
      longestMillis = Math.max(longestMillis, piece.longestMillis);
    }
  }

  /** Length of the longest interval in the window. */
  long longestMillis() {
    return longestMillis;
  }

  boolean isEmpty() {
    return sums.layouts() == 0;
  }

  /** Replaces the contents by what is in the window. */
  void readInto(Distribution into) {
    into.clear();
    addTo(into);
  }

  /** Adds what is in the window. */
  void addTo(Distribution into) {
    sums.addTo(into);
  }

  /** What is held. */
  long bytes() {
    return sums.allocatedBytes()
        + filling.allocatedBytes()
        + pieceBytes
        + scratch.allocatedBytes()
        + packed.length;
  }

  /** What a distribution of the window takes. */
  long distributionBytes() {
    return Distribution.bytesFor(sums.buckets(), sums.layouts());
  }
}
