package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records values corrected for coordinated omission: each value and, when it exceeds the expected
 * interval, the values its caller failed to record meanwhile. What it delivers is a whole corrected
 * distribution, bucket by bucket that of {@code
 * org.HdrHistogram.Histogram.recordValueWithExpectedInterval}, with the exact sum.
 *
 * <p>The caller does a bounded part of the work: up to {@value #DIRECT} back-filled values are
 * recorded at once, some microseconds for a caller that has just been held for a thousand
 * intervals; more are handed to the sampler as one pair, which the next harvest resolves in closed
 * form ({@link BackFill}). {@value BackFillQueue#CAPACITY} such pairs fit between two harvests.
 * Above that, and above {@value #MOST} back-filled values for one value, the value itself is
 * recorded but not its back-fill, which is counted as lost.
 *
 * <p>Recording is for any thread; it never throws, blocks or, past the first long back-fill,
 * allocates.
 */
public final class CorrectedRecorder implements IntervalSource {
  static final int DIRECT = 1024;

  /** More than an hour at an interval of 1 us; the count of a busy year stays below 63 bits. */
  static final long MOST = 1L << 32;

  private final SeriesRecorder recorder;
  private final long highestTrackableValue;
  private final AtomicReference<@Nullable BackFillQueue> queue = new AtomicReference<>();
  private final LongAdder lost;

  /**
   * Nothing recorded yet.
   *
   * @param lost counts back-filled values that are not recorded because a limit is reached
   */
  public CorrectedRecorder(BucketLayout layout, long highestTrackableValue, LongAdder lost) {
    this.recorder = new SeriesRecorder(layout, highestTrackableValue);
    this.highestTrackableValue = highestTrackableValue;
    this.lost = lost;
  }

  /**
   * Records a value and its back-fill.
   *
   * @param value negative counts as 0, too large as the highest trackable value, from which the
   *     back-fill then starts; neither is counted as clamped, which the raw series does
   * @param expectedInterval in the unit of the value; 0 or less: no back-fill
   */
  public void record(long value, long expectedInterval) {
    long inRange = Math.max(0, Math.min(value, highestTrackableValue));
    recorder.record(inRange);
    long missing = BackFill.missing(inRange, expectedInterval);
    if (missing > DIRECT) {
      defer(inRange, expectedInterval, missing);
    } else {
      long next = inRange;
      for (long i = 0; i < missing; i++) {
        next -= expectedInterval;
        recorder.record(next);
      }
    }
  }

  private void defer(long value, long interval, long missing) {
    if (missing > MOST || !queue().offer(value, interval)) {
      lost.add(missing);
    }
  }

  private BackFillQueue queue() {
    BackFillQueue present = queue.get();
    if (present == null) {
      BackFillQueue created = new BackFillQueue();
      BackFillQueue winner = queue.compareAndExchange(null, created);
      present = winner == null ? created : winner;
    }
    return present;
  }

  @Override
  public long harvestInto(Accumulation target) {
    long before = target.count();
    recorder.harvestInto(target);
    BackFillQueue present = queue.get();
    if (present != null) {
      present.drain((value, interval) -> BackFill.addTo(target, value, interval));
    }
    return target.count() - before;
  }

  @Override
  public long lostForMemory() {
    return recorder.lostForMemory();
  }
}
