package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The intervals of all series, in a bounded number of bytes.
 *
 * <p>While there is room every interval is kept as it came. Then neighbours of one lane are added
 * together, bucket by bucket, so no count is lost and the range in time stays; only the resolution
 * falls. Which ones: two neighbours whose joint length is at most {@code coarseness} times their
 * age. A sweep goes through all lanes, each from its oldest interval to its newest, and when it
 * does not find enough the coarseness rises. So what is old and fine goes first, all series fare
 * alike, and the resolution of what is kept is a share of its age: seconds for the last minutes,
 * minutes for the hours before. The range grows with the exponential of the memory.
 *
 * <p>Only when every lane is down to one interval does adding another to the last one not help, and
 * then the oldest lanes are given up whole, which is counted.
 *
 * <p>Cost: an interval O(its non-zero buckets), and in the long run as many additions of neighbours
 * as intervals come, each O(non-zero buckets of both). Allocates the bytes that are kept, and
 * nothing else after warm-up. One writer; counters may be read by any thread.
 */
public final class History {
  /** Neighbours looked at in one go; readers of the lane wait for no more than copying these. */
  private static final int SEGMENT = 128;

  /** After looking at so many without finding room, the next are judged less strictly. */
  private static final int LOOKED_AT = 16_384;

  private static final double FIRST_COARSENESS = 1.0 / 4096;
  private static final double COARSER = 1.25;
  private static final int LITTLE = 16;
  private static final int MUCH = 4;
  private static final long LEAST_AGE_MILLIS = 1000;

  /** Of an array that will be added to again: this share is spare, for buckets to come. */
  private static final int SPARE = 128;

  private final long maxBytes;
  private final List<HistoryLane> lanes = new ArrayList<>();
  private final PackedInterval one = new PackedInterval();
  private final Segment segment = new Segment(SEGMENT);
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong intervals = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private PackingScratch scratch = new PackingScratch();
  private double coarseness = FIRST_COARSENESS;
  private long pairs;
  private int sweptLane;
  private int sweptInterval;
  private int lookedAt;
  private long freedInSweep;

  /**
   * An empty history.
   *
   * @param maxBytes most memory for intervals and their places; 1 or more
   */
  public History(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Shares the working memory of what else its writer does. Before the first interval. */
  public void workIn(PackingScratch shared) {
    scratch = shared;
  }

  /**
   * Keeps an interval in its place in time. Writer only.
   *
   * @param lane of its series and layout
   * @param startMillis by the wall clock of the client
   * @param endMillis likewise, not before the start
   * @param record its number in the journal; 0 for none
   * @param nowMillis tells how old what is kept is
   */
  public void add(
      HistoryLane lane,
      IntervalCounts interval,
      long startMillis,
      long endMillis,
      long record,
      long nowMillis) {
    if (interval.counts().total() == 0) {
      return;
    }
    int length = one.bytesOf(interval, record);
    long start = Math.min(startMillis, endMillis);
    while (usedBytes.get() + HistoryLane.bytesOf(length) + lane.growthBytes() > maxBytes) {
      if (pairs > 0) {
        coarsen(nowMillis);
      } else if (addToNeighbour(lane, interval, record, start, endMillis)) {
        return;
      } else if (!dropOldest()) {
        lane.lose(endMillis);
        return;
      }
    }
    use(HistoryLane.bytesOf(length) + lane.growthBytes(), 1);
    enlist(lane);
    pairs += lane.size() > 0 ? 1 : 0;
    lane.insert(lane.placeOf(start), start, endMillis, one.pack(interval, record));
  }

  private void use(long bytes, int moreIntervals) {
    usedBytes.lazySet(usedBytes.get() + bytes);
    intervals.lazySet(intervals.get() + moreIntervals);
  }

  private void enlist(HistoryLane lane) {
    if (lane.place < 0) {
      lane.place = lanes.size();
      lanes.add(lane);
    }
  }

  /** Adds together what may be, in the next segment of the sweep. */
  private void coarsen(long nowMillis) {
    if (lookedAt >= LOOKED_AT) {
      coarser();
    }
    if (sweptLane >= lanes.size()) {
      endSweep();
    }
    HistoryLane lane = lanes.get(sweptLane);
    int from = sweptInterval;
    int to = Math.max(from, Math.min(lane.size(), from + SEGMENT));
    lookedAt += to - from + 1;
    int gone = to - from < 2 ? 0 : coarsen(lane, from, to, nowMillis);
    if (to >= lane.size() + gone) {
      sweptLane++;
      sweptInterval = 0;
    } else {
      sweptInterval = to - gone - 1; // The last may go with the one behind it.
    }
  }

  /** A sweep that freed little was too strict; one that freed much gave up more than it had to. */
  private void endSweep() {
    sweptLane = 0;
    sweptInterval = 0;
    if (freedInSweep < maxBytes / LITTLE) {
      coarser();
    } else if (freedInSweep > maxBytes / MUCH) {
      coarseness /= COARSER;
    }
    freedInSweep = 0;
  }

  private void coarser() {
    coarseness *= COARSER;
    lookedAt = 0;
  }

  private int coarsen(HistoryLane lane, int from, int to, long nowMillis) {
    segment.clear();
    segment.add(lane.startAt(from), lane.endAt(from), lane.packedAt(from));
    boolean lastIsWhole = true;
    long freed = 0;
    for (int i = from + 1; i < to; i++) {
      int last = segment.size() - 1;
      long start = segment.startAt(last);
      long end = Math.max(segment.endAt(last), lane.endAt(i));
      // Pairs only: a run is halved, not turned into one, before its next turn comes.
      if (lastIsWhole && mayJoin(start, end, nowMillis)) {
        byte[] both = join(segment.packedAt(last), lane.packedAt(i));
        freed +=
            HistoryLane.bytesOf(segment.packedAt(last).length)
                + HistoryLane.bytesOf(lane.packedAt(i).length)
                - HistoryLane.bytesOf(both.length);
        segment.setLast(start, end, both);
        lastIsWhole = false;
      } else {
        segment.add(lane.startAt(i), lane.endAt(i), lane.packedAt(i));
        lastIsWhole = true;
      }
    }
    int gone = to - from - segment.size();
    if (gone > 0) {
      long slotsBefore = lane.slotBytes();
      lane.replace(from, to, segment);
      lane.shrink();
      freed += slotsBefore - lane.slotBytes();
      freedInSweep += freed;
      pairs -= gone;
      lookedAt = 0;
      use(-freed, -gone);
    }
    segment.clear();
    return gone;
  }

  private boolean mayJoin(long start, long end, long nowMillis) {
    long age = Math.max(LEAST_AGE_MILLIS, nowMillis - start);
    return end - start <= coarseness * age;
  }

  private byte[] join(byte[] a, byte[] b) {
    byte[] both = scratch.bytes(PackedInterval.maxBytes(a.length, b.length));
    return Arrays.copyOf(both, one.join(a, b, both));
  }

  /** Without any resolution left to give up: adds the interval to the one beside it, if it fits. */
  private boolean addToNeighbour(
      HistoryLane lane, IntervalCounts interval, long record, long start, long end) {
    if (lane.size() == 0) {
      return false;
    }
    byte[] kept = lane.packedAt(0);
    int most = PackedInterval.maxBytes(kept.length, interval.packedLength());
    byte[] sum = scratch.bytes(most);
    int length = one.join(kept, interval, record, sum);
    long from = Math.min(start, lane.startAt(0));
    long to = Math.max(end, lane.endAt(0));
    if (length <= kept.length && lane.overwriteOnly(from, to, sum, length)) {
      return true;
    }
    long free = maxBytes - usedBytes.get() + HistoryLane.bytesOf(kept.length);
    int room = length + length / SPARE;
    if (HistoryLane.bytesOf(room) > free) {
      room = length;
    }
    if (HistoryLane.bytesOf(room) > free) {
      return false;
    }
    use(HistoryLane.bytesOf(room) - HistoryLane.bytesOf(kept.length), 0);
    byte[] both = new byte[room];
    System.arraycopy(sum, 0, both, 0, length);
    lane.replaceOnly(from, to, both);
    return true;
  }

  /** Gives up what ended first. */
  private boolean dropOldest() {
    HistoryLane oldest = null;
    for (HistoryLane lane : lanes) {
      if (lane.size() > 0
          && (oldest == null || lane.endAt(lane.size() - 1) < oldest.endAt(oldest.size() - 1))) {
        oldest = lane;
      }
    }
    if (oldest == null) {
      dropped.lazySet(dropped.get() + 1); // larger than all the memory there is
      return false;
    }
    dropped.lazySet(dropped.get() + oldest.size());
    oldest.loseAll();
    release(oldest);
    return true;
  }

  /** Frees all that a lane holds, as when its series has ended. Writer only. */
  public void release(HistoryLane lane) {
    if (lane.place < 0) {
      return;
    }
    pairs -= Math.max(0, lane.size() - 1);
    use(-lane.bytes(), -lane.size());
    lane.clear();
    HistoryLane last = lanes.remove(lanes.size() - 1);
    if (last != lane) {
      last.place = lane.place;
      lanes.set(lane.place, last);
    }
    lane.place = -1;
    sweptInterval = 0;
  }

  /** Most bytes it may take. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Bytes taken now. Any thread. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Intervals kept now, sums of several counted as one. Any thread. */
  public long intervals() {
    return intervals.get();
  }

  /** Intervals given up because no resolution was left to give up. Any thread. */
  public long droppedIntervals() {
    return dropped.get();
  }

  /** What is shown of it. */
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge("history.bytes", "Memory of the history", this::usedBytes),
        Metric.gauge("history.limit.bytes", "Most memory the history may take", this::maxBytes),
        Metric.gauge(
            "history.intervals",
            "Intervals in the history, sums of several counted as one",
            this::intervals),
        Metric.counter(
            "history.dropped.intervals",
            "Intervals the history gave up because no resolution was left to give up",
            this::droppedIntervals));
  }
}
