package io.hdrsidecar.stress;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.internal.record.Striping;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Recorders small enough to be made millions of times. */
final class Recorders {
  static final BucketLayout LAYOUT = BucketLayout.of(1, 2);
  static final long HIGHEST = 1L << 40;

  /** Not for users, so not public; a constant, so that the compiler sees through it. */
  private static final MethodHandle ADD;

  static {
    try {
      ADD =
          MethodHandles.privateLookupIn(SeriesRecorder.class, MethodHandles.lookup())
              .findVirtual(
                  SeriesRecorder.class,
                  "add",
                  MethodType.methodType(void.class, long.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Recorders() {}

  /**
   * Equal values, counted at once in the shared pages, no matter which thread owns values of the
   * stripe.
   */
  static void recordTimes(SeriesRecorder recorder, long value, int times) {
    try {
      ADD.invokeExact(recorder, value, times);
    } catch (Throwable e) {
      throw new IllegalStateException("recording must not throw", e);
    }
  }

  /** Of one owner, as two threads seldom have ids that make them race for one of two places. */
  static SeriesRecorder withOneStripe() {
    return new SeriesRecorder(LAYOUT, HIGHEST, new Striping(1, 1, 1, 1));
  }

  /** Its stripes double at every harvest that meets a thread beside the one owner of a stripe. */
  static SeriesRecorder withGrowingStripes() {
    return new SeriesRecorder(LAYOUT, HIGHEST, new Striping(1, 4, 1, 1));
  }

  /** With one stripe, in a file; nothing may be left over for the heap. */
  static SeriesRecorder mapped() {
    return new SeriesRecorder(
        LAYOUT,
        HIGHEST,
        MappedSeries.next(),
        lost -> {
          throw new IllegalStateException("no room in the file for " + lost);
        });
  }

  static Accumulation empty() {
    return new Accumulation(LAYOUT);
  }

  static Accumulation harvest(SeriesRecorder recorder) {
    Accumulation harvest = empty();
    recorder.harvestInto(harvest);
    return harvest;
  }

  static int count(SeriesRecorder recorder) {
    return Math.toIntExact(harvest(recorder).count());
  }
}
