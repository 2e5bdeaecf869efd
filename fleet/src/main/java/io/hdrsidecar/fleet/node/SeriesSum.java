package io.hdrsidecar.fleet.node;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one series has counted over some time: each bucket layout apart, as in a sidecar. One thread
 * at a time.
 */
final class SeriesSum {
  /** The objects of one without counts, and its place in a map. */
  static final long OBJECT_BYTES = 600;

  /** Counts of one layout, with their figures. */
  static final class OfLayout {
    private final Accumulation counts;
    private long highest;

    OfLayout(BucketLayout layout, long highest) {
      this.counts = new Accumulation(layout);
      this.highest = highest;
    }

    Accumulation counts() {
      return counts;
    }

    BucketLayout layout() {
      return counts.counts().layout();
    }

    /** Highest trackable value of any payload. */
    long highest() {
      return highest;
    }
  }

  private final List<OfLayout> parts = new ArrayList<>(1);
  private long createdMillis = Long.MAX_VALUE;
  private long lastSeenMillis = Long.MIN_VALUE;
  private long intervals;

  /** When counting began, in milliseconds since the epoch; {@link Long#MAX_VALUE} before that. */
  long createdMillis() {
    return createdMillis;
  }

  /** When the last interval came. */
  long lastSeenMillis() {
    return lastSeenMillis;
  }

  long intervals() {
    return intervals;
  }

  /** Layouts that have counts. */
  List<OfLayout> counted() {
    return parts.stream().filter(part -> part.counts.count() > 0).toList();
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The layout of all counts; null when there are several, or none. */
  @Nullable BucketLayout onlyLayout() {
    return parts.size() == 1 ? parts.get(0).layout() : null;
  }

  /** Number of values, in all layouts; {@link Long#MAX_VALUE} if it is more than that. */
  long values() {
    long sum = 0;
    for (OfLayout part : parts) {
      sum += part.counts.count();
      if (sum < 0) {
        return Long.MAX_VALUE;
      }
    }
    return sum;
  }

  /** Memory of the counters, in bytes. */
  long bytes() {
    long bytes = OBJECT_BYTES;
    for (OfLayout part : parts) {
      bytes += part.counts.counts().allocatedBytes();
    }
    return bytes;
  }

  /** That intervals came, so many of them. */
  void seen(long fromMillis, long toMillis, long more) {
    createdMillis = Math.min(createdMillis, fromMillis);
    lastSeenMillis = Math.max(lastSeenMillis, toMillis);
    intervals += more;
  }

  /**
   * Adds an interval.
   *
   * @return by how many bytes the counters have grown
   * @throws ArithmeticException when the count would pass {@link Long#MAX_VALUE}; nothing is added
   */
  long add(
      DecodedHistogram histogram, SumMinMax sumMinMax, @Nullable Exemplar exemplar, long seen) {
    OfLayout part = part(histogram.layout(), histogram.highestTrackableValue());
    long before = part.counts.counts().allocatedBytes();
    part.counts.add(histogram.counts(), sumMinMax);
    part.counts.offer(exemplar);
    seen(seen, seen, 1);
    return part.counts.counts().allocatedBytes() - before;
  }

  /** Whether there is a place for counts of this layout, of which there may be so many. */
  boolean hasPlaceFor(BucketLayout layout, int maxLayouts) {
    return parts.size() < maxLayouts || find(layout) != null;
  }

  /** Whether adding those would pass no limit, and layouts not be more than these. */
  boolean hasRoomFor(SeriesSum other, int maxLayouts) {
    int more = 0;
    for (OfLayout part : other.parts) {
      OfLayout mine = find(part.layout());
      more += mine == null ? 1 : 0;
      if (mine != null && Long.MAX_VALUE - mine.counts.count() < part.counts.count()) {
        return false;
      }
    }
    return parts.size() + more <= maxLayouts;
  }

  /**
   * Takes out the layouts that cannot be added to another sum.
   *
   * @param maxLayouts of the other
   * @return how many values they had
   */
  long removeWhatHasNoRoomIn(SeriesSum other, int maxLayouts) {
    long removed = 0;
    int layouts = other.parts.size();
    for (OfLayout part : List.copyOf(parts)) {
      OfLayout theirs = other.find(part.layout());
      long count = part.counts.count();
      if (theirs == null ? layouts == maxLayouts : Long.MAX_VALUE - theirs.counts.count() < count) {
        parts.remove(part);
        removed += count;
      } else if (theirs == null) {
        layouts++;
      }
    }
    return removed;
  }

  /** Adds another, of which {@link #hasRoomFor} says that it can be added. */
  void add(SeriesSum other) {
    for (OfLayout part : other.parts) {
      this.part(part.layout(), part.highest).counts.add(part.counts);
    }
    seen(other.createdMillis, other.lastSeenMillis, other.intervals);
  }

  /** The counts of a layout, from 0 if there are none. */
  OfLayout part(BucketLayout layout, long highest) {
    OfLayout part = find(layout);
    if (part == null) {
      part = new OfLayout(layout, highest);
      parts.add(part);
    }
    part.highest = Math.max(part.highest, highest);
    return part;
  }

  private @Nullable OfLayout find(BucketLayout layout) {
    for (OfLayout part : parts) {
      if (part.layout().equals(layout)) {
        return part;
      }
    }
    return null;
  }
}
