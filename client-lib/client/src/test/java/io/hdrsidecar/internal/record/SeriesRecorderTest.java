package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SeriesRecorderTest {
  private static final long ONE_HOUR = TimeUnit.HOURS.toNanos(1);
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);

  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, ONE_HOUR);
  private final Accumulation harvest = new Accumulation(LAYOUT);

  static Stream<Arguments> layouts() {
    return Stream.of(0, 1, 2, 3, 4, 5)
        .flatMap(
            digits ->
                Stream.of(
                    Arguments.of(1L, 3L, digits, 1L),
                    Arguments.of(1L, ONE_HOUR, digits, 7L),
                    Arguments.of(1000L, 60_000_000_000L, digits, 42L),
                    Arguments.of(1L, 1L << 62, digits, 3L),
                    Arguments.of(20_000L, (1L << 62) - 1, digits, 11L)));
  }

  @ParameterizedTest(name = "lowest={0} highest={1} digits={2} seed={3}")
  @MethodSource("layouts")
  void harvestInto_valuesOfEveryMagnitude_equalsHdrHistogramAndTheRawList(
      long lowest, long highest, int digits, long seed) {
    BucketLayout layout = BucketLayout.of(lowest, digits);
    SeriesRecorder recorder = new SeriesRecorder(layout, highest);
    RecordedValues values = RecordedValues.random(layout, highest, 20_000, seed);
    values.recordInto(recorder);
    Accumulation harvest = new Accumulation(layout);

    long moved = recorder.harvestInto(harvest);

    assertThat(moved).isEqualTo(20_000);
    values.assertEqualTo(harvest);
  }

  @Test
  void harvestInto_withSeveralStripes_joinsThem() throws InterruptedException {
    SeriesRecorder striped = new SeriesRecorder(LAYOUT, ONE_HOUR, new Striping(4, 4, 1, 2));
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 10_000, 5);
    for (int part = 0; part < 5; part++) {
      RecordedValues slice = values.slice(part, 5);
      runToItsEnd(() -> slice.recordInto(striped));
    }

    striped.harvestInto(harvest);

    values.assertEqualTo(harvest);
  }

  @Test
  void harvestInto_twice_findsNothingTheSecondTime() {
    recorder.record(5);
    recorder.harvestInto(new Accumulation(LAYOUT));

    assertThat(recorder.harvestInto(harvest)).isZero();
    assertThat(harvest.isEmpty()).isTrue();
    assertThat(harvest.sum().toBigInteger()).isZero();
    assertThat(harvest.min()).isEqualTo(Long.MAX_VALUE);
    assertThat(harvest.max()).isZero();
  }

  @Test
  void harvestInto_eachInterval_hasItsOwnSumAndExtremes() {
    recorder.record(1_000_003);
    recorder.record(7);
    recorder.harvestInto(new Accumulation(LAYOUT));
    recorder.record(5_001);
    recorder.record(4_999);

    recorder.harvestInto(harvest);

    assertThat(harvest.count()).isEqualTo(2);
    assertThat(harvest.sum().low()).isEqualTo(10_000);
    assertThat(harvest.min()).isEqualTo(4_999);
    assertThat(harvest.max()).isEqualTo(5_001);
  }

  @Test
  void harvestInto_aTargetThatHoldsCounts_addsToThem() {
    recorder.record(10);
    recorder.harvestInto(harvest);
    recorder.record(30);

    recorder.harvestInto(harvest);

    assertThat(harvest.count()).isEqualTo(2);
    assertThat(harvest.sum().low()).isEqualTo(40);
    assertThat(harvest.min()).isEqualTo(10);
    assertThat(harvest.max()).isEqualTo(30);
  }

  @Test
  void harvestInto_anotherLayout_isRefusedAndMovesNothing() {
    recorder.record(10);

    assertThatThrownBy(() -> recorder.harvestInto(new Accumulation(BucketLayout.of(1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("target must have the layout lowest=1,digits=3: lowest=1,digits=2");
    assertThat(recorder.harvestInto(harvest)).isEqualTo(1);
  }

  @Test
  void record_aNegativeValue_countsAsZeroAndAsClamped() {
    recorder.record(-1);
    recorder.record(Long.MIN_VALUE);

    recorder.harvestInto(harvest);

    assertThat(harvest.counts().countAt(0)).isEqualTo(2);
    assertThat(harvest.max()).isZero();
    assertThat(harvest.sum().toBigInteger()).isZero();
    assertThat(recorder.clampedNegative()).isEqualTo(2);
    assertThat(recorder.clampedTooLarge()).isZero();
  }

  @Test
  void record_aValueAboveTheRange_countsAsTheHighestAndAsClamped() {
    recorder.record(ONE_HOUR);
    recorder.record(ONE_HOUR + 1);
    recorder.record(Long.MAX_VALUE);

    recorder.harvestInto(harvest);

    assertThat(harvest.counts().countAt(LAYOUT.indexOf(ONE_HOUR))).isEqualTo(3);
    assertThat(harvest.min()).isEqualTo(ONE_HOUR);
    assertThat(harvest.max()).isEqualTo(ONE_HOUR);
    assertThat(harvest.sum().low()).isEqualTo(3 * ONE_HOUR);
    assertThat(recorder.clampedTooLarge()).isEqualTo(2);
    assertThat(recorder.clampedNegative()).isZero();
  }

  @Test
  void add_upToTheEndOfAnUnsignedInt_isExact() {
    long value = (1L << 62) - 12_345;
    SeriesRecorder wide = new SeriesRecorder(LAYOUT, 1L << 62);
    wide.add(value, Integer.MAX_VALUE);
    wide.add(value, Integer.MAX_VALUE);
    wide.record(value);

    wide.harvestInto(harvest);

    assertThat(harvest.count()).isEqualTo((1L << 32) - 1);
    assertThat(harvest.sum().toBigInteger())
        .isEqualTo(BigInteger.valueOf(value).multiply(BigInteger.valueOf((1L << 32) - 1)));
    assertThat(harvest.min()).isEqualTo(value);
    assertThat(harvest.max()).isEqualTo(value);
  }

  @Test
  void snapshotInto_showsWhatIsNotYetHarvested_andTakesNothing() {
    RecordedValues values = RecordedValues.logNormal(LAYOUT, ONE_HOUR, 10_000, 9);
    values.recordInto(recorder);
    Accumulation snapshot = new Accumulation(LAYOUT);

    recorder.snapshotInto(snapshot);
    recorder.harvestInto(harvest);

    values.assertEqualTo(snapshot);
    values.assertEqualTo(harvest);
  }

  @Test
  void snapshotInto_afterAHarvest_isEmpty() {
    recorder.record(3);
    recorder.harvestInto(harvest);
    Accumulation snapshot = new Accumulation(LAYOUT);

    recorder.snapshotInto(snapshot);

    assertThat(snapshot.isEmpty()).isTrue();
    assertThat(snapshot.sum().toBigInteger()).isZero();
  }

  @Test
  void constructor_aRangeBelowTwiceTheLowestValue_isRefused() {
    assertThatThrownBy(() -> new SeriesRecorder(BucketLayout.of(100, 3), 199))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void runToItsEnd(Runnable task) throws InterruptedException {
    Thread thread = new Thread(task);
    thread.start();
    thread.join();
  }
}
