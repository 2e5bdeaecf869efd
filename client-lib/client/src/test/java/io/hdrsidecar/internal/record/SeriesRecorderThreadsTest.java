package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SeriesRecorderThreadsTest {
  private static final int WRITERS = 4;
  private static final long ONE_HOUR = TimeUnit.HOURS.toNanos(1);
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  static Stream<Arguments> values() {
    BucketLayout coarse = BucketLayout.of(1000, 1);
    return Stream.of(
        Arguments.of("narrow", 8, RecordedValues.logNormal(LAYOUT, ONE_HOUR, 1_000_000, 1)),
        Arguments.of("wide", 8, RecordedValues.random(LAYOUT, 1L << 62, 400_000, 7)),
        Arguments.of("coarse", 8, RecordedValues.random(coarse, 1L << 40, 1_000_000, 42)),
        Arguments.of("coarse", 1, RecordedValues.random(coarse, 1L << 40, 1_000_000, 11)),
        Arguments.of("wide", 1, RecordedValues.random(coarse, 1L << 62, 400_000, 3)));
  }

  @ParameterizedTest(name = "{0}, up to {1} stripes")
  @MethodSource("values")
  void harvestInto_whileThreadsRecordAndStripesGrow_everyValueIsInExactlyOneInterval(
      String name, int maxStripes, RecordedValues values) throws Exception {
    SeriesRecorder recorder =
        new SeriesRecorder(values.layout(), values.highest(), new Striping(1, maxStripes, 1, 2));
    Accumulation total = new Accumulation(values.layout());
    CyclicBarrier start = new CyclicBarrier(WRITERS + 1);
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        RecordedValues slice = values.slice(writer, WRITERS);
        running.add(writers.submit(() -> recordAfterStart(slice, recorder, start)));
      }
      start.await();
      Accumulation interval = new Accumulation(values.layout());
      while (!running.stream().allMatch(Future::isDone)) {
        harvestOne(recorder, interval, total);
      }
      for (Future<?> writer : running) {
        writer.get();
      }
      harvestOne(recorder, interval, total);
    } finally {
      writers.shutdownNow();
    }

    values.assertEqualTo(total);
    assertThat(recorder.harvestInto(total)).isZero();
  }

  private static Void recordAfterStart(
      RecordedValues values, SeriesRecorder recorder, CyclicBarrier start) throws Exception {
    start.await();
    values.recordInto(recorder);
    return null;
  }

  private static void harvestOne(
      SeriesRecorder recorder, Accumulation interval, Accumulation total) {
    interval.clear();
    long moved = recorder.harvestInto(interval);
    assertThat(interval.count()).isEqualTo(moved);
    if (moved > 0) {
      assertExtremesLieInTheExtremeBuckets(interval);
    }
    total.add(interval);
  }

  private static void assertExtremesLieInTheExtremeBuckets(Accumulation interval) {
    BucketLayout layout = interval.counts().layout();
    int lowest = layout.indexOf(interval.min());
    int highest = layout.indexOf(interval.max());
    int[] outside = {0};
    interval
        .counts()
        .forEach((index, count) -> outside[0] += index < lowest || index > highest ? 1 : 0);
    assertThat(outside[0]).isZero();
    assertThat(interval.counts().countAt(lowest)).isPositive();
    assertThat(interval.counts().countAt(highest)).isPositive();
  }

  @Test
  void harvestInto_aStripeHotFromSeveralThreads_doublesTheStripesUpToTheMost() throws Exception {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 4, 100, 2));
    Accumulation target = new Accumulation(LAYOUT);

    for (int stripes : new int[] {2, 4, 4}) {
      recordFromThreadsWithIds(recorder, 100, 0, 4);
      recorder.harvestInto(target);
      assertThat(recorder.stripes()).isEqualTo(stripes);
    }
    assertThat(target.count()).isEqualTo(3 * 2 * 100);
  }

  @Test
  void harvestInto_aHotStripeOfTwoOwners_keepsItsStripe_andHasNoSharedCounters() throws Exception {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 4, 100, 2));
    long unused = recorder.allocatedBytes();
    recordFromThreadsWithIds(recorder, 1_000, 0, 1);
    Accumulation target = new Accumulation(LAYOUT);

    recorder.harvestInto(target);

    assertThat(target.count()).isEqualTo(2_000);
    assertThat(recorder.stripes()).isEqualTo(1);
    assertThat(recorder.allocatedBytes() - unused).isLessThan(2 * (4 << 10));
  }

  @Test
  void harvestInto_ownersThatWereInTheSharedCounters_keepTheirStripe() throws Exception {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 4, 100, 2));
    Runnable asWhileAHarvestEmptiesTheRing =
        () -> {
          recorder.record(1_000);
          recorder.add(1_000, 1_000);
        };
    runInThreadsWithIds(asWhileAHarvestEmptiesTheRing, 0, 1);
    Accumulation target = new Accumulation(LAYOUT);

    recorder.harvestInto(target);

    assertThat(target.count()).isEqualTo(2 * 1_001);
    assertThat(recorder.stripes()).isEqualTo(1);
  }

  @Test
  void harvestInto_aHotStripeOfOneThread_keepsItsStripe() {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 4, 100, 2));
    recorder.add(1_000, 1_000_000);

    recorder.harvestInto(new Accumulation(LAYOUT));

    assertThat(recorder.stripes()).isEqualTo(1);
  }

  @Test
  void harvestInto_aColdStripeOfSeveralThreads_keepsItsStripe() throws Exception {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 4, 100, 2));
    recordFromThreadsWithIds(recorder, 49, 0, 4);

    recorder.harvestInto(new Accumulation(LAYOUT));

    assertThat(recorder.stripes()).isEqualTo(1);
  }

  @Test
  void harvestInto_owningThreadsComeAndGo_theSumIsExact() throws Exception {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 1, 1, 2));
    Accumulation total = new Accumulation(LAYOUT);

    for (int generation = 0; generation < 5; generation++) {
      for (int interval = 0; interval < 3; interval++) {
        recordFromThreadsWithIds(recorder, 1_000, 0, 4); // each thread ends before the harvest
        recorder.add(5_000_000_000L, 2);
        recorder.harvestInto(total);
      }
      recorder.record(1); // from a thread that lives on
    }
    recorder.harvestInto(total);

    long ofOneThread = 1_000 * 1_000 + 999 * 1_000 / 2;
    assertThat(total.sum().low()).isEqualTo(15 * (2 * ofOneThread + 10_000_000_000L) + 5);
    assertThat(total.count()).isEqualTo(15 * 2_002 + 5);
  }

  @Test
  void snapshotInto_whileAThreadOwnsTheSum_hasItsPart() {
    SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 1, 1, 2));
    for (int interval = 0; interval < 3; interval++) {
      recorder.record(1_000);
      recorder.harvestInto(new Accumulation(LAYOUT));
    }
    recorder.record(20);
    recorder.record(22);
    Accumulation snapshot = new Accumulation(LAYOUT);

    recorder.snapshotInto(snapshot);

    assertThat(snapshot.sum().low()).isEqualTo(42);
  }

  /** Records from two threads whose ids give these remainders by eight. */
  private static void recordFromThreadsWithIds(
      SeriesRecorder recorder, int count, long oneRemainder, long otherRemainder)
      throws InterruptedException {
    Runnable recording =
        () -> {
          for (int i = 0; i < count; i++) {
            recorder.record(1_000 + i);
          }
        };
    runInThreadsWithIds(recording, oneRemainder, otherRemainder);
  }

  private static void runInThreadsWithIds(Runnable work, long oneRemainder, long otherRemainder)
      throws InterruptedException {
    for (long remainder : new long[] {oneRemainder, otherRemainder}) {
      Thread thread;
      do {
        thread = new Thread(work);
      } while (thread.getId() % 8 != remainder);
      thread.start();
      thread.join();
    }
  }
}
