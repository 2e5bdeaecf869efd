package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordedExemplarsTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, 1_000_000);

  @Test
  void harvestInto_afterSeveral_hasTheSlowestAndForgetsIt() {
    recorder.record(20, "b", "s", () -> 7);
    recorder.record(30, "c", "", () -> 8);
    recorder.record(10, "a", "", () -> 9);
    recorder.record(40);

    assertThat(harvest().exemplar()).isEqualTo(new Exemplar(30, 8, "c", ""));
    recorder.record(5);
    assertThat(harvest().exemplar()).isNull();
  }

  @Test
  void harvestInto_thatAlreadyHasOne_keepsTheSlower() {
    Accumulation target = new Accumulation(LAYOUT);
    recorder.record(30, "first", "", () -> 1);
    recorder.harvestInto(target);
    recorder.record(20, "second", "", () -> 2);
    recorder.harvestInto(target);

    assertThat(target.count()).isEqualTo(2);
    assertThat(target.exemplar()).isEqualTo(new Exemplar(30, 1, "first", ""));
  }

  @Test
  void record_outOfRangeOrWithOddIds_countsTheValue() {
    recorder.record(-5, "n", "", () -> 1);
    recorder.record(7, "two words", "", () -> 1);
    recorder.record(8, "", "", () -> 1);
    recorder.record(9, "t".repeat(65), "", () -> 1);
    recorder.record(10, "t", "s".repeat(33), () -> 1);
    Accumulation first = harvest();
    assertThat(first.count()).isEqualTo(5);
    assertThat(first.exemplar()).isEqualTo(new Exemplar(0, 1, "n", ""));

    recorder.record(2_000_000, "large", "", () -> -1);
    assertThat(harvest().exemplar()).isEqualTo(new Exemplar(1_000_000, 0, "large", ""));
    assertThat(recorder.clampedNegative()).isEqualTo(1);
    assertThat(recorder.clampedTooLarge()).isEqualTo(1);
  }

  /** The slowest of all is in some harvest, and none is in a harvest that lacks its count. */
  @Test
  void record_fromManyThreadsWhileHarvesting_losesNoSlowest() throws Exception {
    int threads = 4;
    int each = 100_000;
    AtomicLong slowest = new AtomicLong();
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      SplittableRandom random = new SplittableRandom(t);
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  long value = random.nextInt(900_000);
                  slowest.accumulateAndGet(value, Math::max);
                  recorder.record(value, "v" + value, "", () -> 1);
                }
              });
      writers.add(writer);
      writer.start();
    }
    Accumulation all = new Accumulation(LAYOUT);
    while (writers.stream().anyMatch(Thread::isAlive)) {
      recorder.harvestInto(all);
    }
    recorder.harvestInto(all);

    assertThat(all.count()).isEqualTo((long) threads * each);
    assertThat(all.exemplar()).isEqualTo(new Exemplar(slowest.get(), 1, "v" + slowest.get(), ""));
  }

  private Accumulation harvest() {
    Accumulation target = new Accumulation(LAYOUT);
    recorder.harvestInto(target);
    return target;
  }
}
