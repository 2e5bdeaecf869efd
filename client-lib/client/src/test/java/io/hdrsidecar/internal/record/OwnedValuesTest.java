package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnedValuesTest {
  private static final long ONE_HOUR = TimeUnit.HOURS.toNanos(1);
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final SeriesRecorder recorder =
      new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(1, 1, 1, 1));
  private final Accumulation total = new Accumulation(LAYOUT);
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void endThread() {
    other.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        OwnedValues.CAPACITY - 1,
        OwnedValues.CAPACITY,
        OwnedValues.CAPACITY + 1,
        2 * OwnedValues.CAPACITY + 1,
        100_000
      })
  void harvestInto_soManyValuesOfOneThread_equalsTheRawList(int howMany) {
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, howMany, 3);
    values.recordInto(recorder);

    assertThat(recorder.harvestInto(total)).isEqualTo(howMany);

    values.assertEqualTo(total);
  }

  @Test
  void harvestInto_oneValueVeryOften_countsPastEveryCarry() {
    long expected = 0;
    for (int round : new int[] {255, 256, 257, 70_000, 1}) {
      for (int i = 0; i < round; i++) {
        recorder.record(12_345);
      }
      expected += round;
      assertThat(recorder.harvestInto(total)).isEqualTo(round);
    }

    assertThat(total.counts().countAt(LAYOUT.indexOf(12_345))).isEqualTo(expected);
    assertThat(total.count()).isEqualTo(expected);
    assertThat(total.sum().low()).isEqualTo(expected * 12_345);
  }

  @Test
  void harvestInto_eachInterval_hasTheExtremesOfItsOwnValues() {
    for (int i = 0; i < 1_000; i++) {
      recorder.record(50_000 + i);
    }
    recorder.harvestInto(new Accumulation(LAYOUT));
    for (int i = 0; i < 1_000; i++) {
      recorder.record(60_003 - i);
    }

    recorder.harvestInto(total);

    assertThat(total.min()).isEqualTo(59_004);
    assertThat(total.max()).isEqualTo(60_003);
  }

  @Test
  void record_whileOthersTakeCopies_losesNothing() throws Exception {
    int howMany = 500_000;
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, howMany, 4);
    Future<?> recording = other.submit(() -> values.recordInto(recorder));
    long copies = 0;
    while (!recording.isDone()) {
      recorder.snapshotInto(new Accumulation(LAYOUT));
      recorder.harvestInto(total);
      copies++;
    }
    recording.get();
    recorder.harvestInto(total);

    assertThat(copies).isPositive();
    values.assertEqualTo(total);
  }

  @Test
  void harvestInto_anOwnerThatIsIdleWhileAnotherThreadRecords_givesWay() throws Exception {
    RecordedValues mine = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 10, 5);
    RecordedValues theirs = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 100_000, 6);
    Accumulation first = new Accumulation(LAYOUT);
    mine.recordInto(recorder);
    recorder.harvestInto(first);
    mine.assertEqualTo(first);
    for (int interval = 0; interval < 2; interval++) {
      other.submit(() -> theirs.recordInto(recorder)).get();
      Accumulation next = new Accumulation(LAYOUT);
      recorder.harvestInto(next);
      theirs.assertEqualTo(next);
    }
    long withBoth = recorder.allocatedBytes();

    // What it kept before is still looked at, and what the other has now is its own.
    mine.recordInto(recorder);
    other.submit(() -> recorder.record(7)).get();
    recorder.harvestInto(total);

    assertThat(total.count()).isEqualTo(11);
    assertThat(total.sum().low()).isEqualTo(first.sum().low() + 7);
    assertThat(recorder.allocatedBytes()).isEqualTo(withBoth);
  }

  @Test
  void harvestInto_ownersThatEnd_leaveTheirMemoryToTheNext() throws Exception {
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 1_000, 7);
    long afterTheFirst = 0;
    for (int generation = 0; generation < 20; generation++) {
      Thread thread = new Thread(() -> values.recordInto(recorder));
      thread.start();
      thread.join();
      Accumulation harvest = new Accumulation(LAYOUT);
      recorder.harvestInto(harvest);
      values.assertEqualTo(harvest);
      afterTheFirst = generation == 0 ? recorder.allocatedBytes() : afterTheFirst;
    }

    assertThat(recorder.allocatedBytes()).isEqualTo(afterTheFirst);
  }
}
