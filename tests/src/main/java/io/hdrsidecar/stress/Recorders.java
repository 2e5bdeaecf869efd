package io.hdrsidecar.stress;

import io.hdrsidecar.client.record.SeriesRecorder;
import io.hdrsidecar.client.record.Striping;
import io.hdrsidecar.interval.Accumulation;
import io.hdrsidecar.interval.BucketLayout;

/** Recorders small enough to be made millions of times. */
final class Recorders {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 2);
  private static final long HIGHEST = 1L << 40;

  private Recorders() {}

  static SeriesRecorder withOneStripe() {
    return new SeriesRecorder(LAYOUT, HIGHEST, new Striping(1, 1, 1));
  }

  /** Its stripes double at every harvest that meets two threads in one of them. */
  static SeriesRecorder withGrowingStripes() {
    return new SeriesRecorder(LAYOUT, HIGHEST, new Striping(1, 4, 1));
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
