package io.hdrsidecar.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtremesTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 1); // 1024..1087 is one bucket

  private final Extremes extremes = Extremes.ofAllHarvests(LAYOUT);

  private void harvest(long lowest, long highest, long candidateMin, long candidateMax) {
    extremes.begin(LAYOUT.indexOf(lowest), LAYOUT.indexOf(highest));
    extremes.offer(candidateMin, candidateMax);
  }

  @Test
  void max_candidateAboveTheHarvest_waitsForItsCount() {
    harvest(10, 1050, 10, 5000);
    assertThat(extremes.max()).isEqualTo(1087);

    harvest(10, 5000, 10, Stripe.NO_MAX);
    assertThat(extremes.max()).isEqualTo(5000);
  }

  @Test
  void min_candidateBelowTheHarvest_waitsForItsCount() {
    harvest(1050, 5000, 10, 5000);
    assertThat(extremes.min()).isEqualTo(1024);

    harvest(10, 5000, Stripe.NO_MIN, 5000);
    assertThat(extremes.min()).isEqualTo(10);
  }

  @Test
  void max_candidateTakenByAnEarlierHarvest_isBoundedByTheLargestEver() {
    harvest(1026, 1026, 1026, 1060);
    assertThat(extremes.max()).isEqualTo(1060);

    harvest(1040, 1040, Stripe.NO_MIN, Stripe.NO_MAX);
    assertThat(extremes.max()).isEqualTo(1060);
    assertThat(extremes.min()).isEqualTo(1026);
  }

  @Test
  void extremes_writerHalfwayBetweenItsTwo_doNotCross() {
    // 1060 has lowered the minimum and not yet raised the maximum; 1030 met the old minimum.
    harvest(1030, 1030, 1060, 1030);

    assertThat(extremes.min()).isEqualTo(1030);
    assertThat(extremes.max()).isEqualTo(1060);
  }

  @Test
  void max_earlyCandidateAndASmallerOneInItsBucket_isTheEarlyOne() {
    harvest(10, 20, 10, 1060);

    harvest(10, 1060, 10, 1030);

    assertThat(extremes.max()).isEqualTo(1060);
  }

  @Test
  void min_earlyCandidateAndALargerOneInItsBucket_isTheEarlyOne() {
    harvest(2000, 2000, 1030, 2000);

    harvest(1030, 2000, 1060, 2000);

    assertThat(extremes.min()).isEqualTo(1030);
  }

  @Test
  void begin_anEarlyCandidateOvertaken_isForgotten() {
    harvest(10, 20, 10, 1050);
    harvest(10, 5000, 10, 5000);

    harvest(10, 1030, 10, 1030);

    assertThat(extremes.max()).isEqualTo(1030);
  }

  /** A value on its way through a writer: extremes first, then its count. */
  private record InFlight(long value) {}

  @ParameterizedTest(name = "digits={0} seed={1}")
  @CsvSource({"0,1", "0,7", "0,42", "1,1", "1,7", "1,42", "3,4711"})
  void allHarvests_anyInterleaving_lieInTheirBucketsAndAreExactTogether(int digits, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int life = 0; life < 1000; life++) {
      checkOneLife(BucketLayout.of(1, digits), random);
    }
  }

  /** Plays writers and sampler step by step, each step as atomic as it is in {@link Stripe}. */
  private static void checkOneLife(BucketLayout layout, SplittableRandom random) {
    Extremes extremes = Extremes.ofAllHarvests(layout);
    List<InFlight> inFlight = new ArrayList<>();
    List<Long> counted = new ArrayList<>();
    long[] cells = {Stripe.NO_MIN, Stripe.NO_MAX};
    long[] raw = {Long.MAX_VALUE, -1};
    long[] reported = {Long.MAX_VALUE, -1};
    for (int step = 0; step < 120; step++) {
      boolean last = step == 119;
      int action = random.nextInt(10);
      if (action < 4 && !last) {
        long value = random.nextInt(1 << random.nextInt(1, 13));
        raw[0] = Math.min(raw[0], value);
        raw[1] = Math.max(raw[1], value);
        cells[0] = Math.min(cells[0], value);
        cells[1] = Math.max(cells[1], value);
        inFlight.add(new InFlight(value));
      } else if (action < 8 && !last) {
        if (!inFlight.isEmpty()) {
          counted.add(inFlight.remove(random.nextInt(inFlight.size())).value());
        }
      } else {
        if (last) {
          inFlight.forEach(writer -> counted.add(writer.value()));
        }
        List<Long> taken = List.copyOf(counted);
        counted.clear();
        boolean between = !last && random.nextBoolean() && !inFlight.isEmpty();
        if (between) {
          counted.add(inFlight.remove(0).value()); // counted after the counts were taken
        }
        if (!taken.isEmpty()) {
          harvestOf(layout, taken, extremes, cells, reported);
        }
      }
    }
    assertThat(reported).isEqualTo(raw);
  }

  private static void harvestOf(
      BucketLayout layout, List<Long> taken, Extremes extremes, long[] cells, long[] reported) {
    int low = taken.stream().mapToInt(layout::indexOf).min().orElseThrow();
    int high = taken.stream().mapToInt(layout::indexOf).max().orElseThrow();
    extremes.begin(low, high);
    extremes.offer(cells[0], cells[1]);
    cells[0] = Stripe.NO_MIN;
    cells[1] = Stripe.NO_MAX;
    assertThat(layout.indexOf(extremes.min())).isEqualTo(low);
    assertThat(layout.indexOf(extremes.max())).isEqualTo(high);
    reported[0] = Math.min(reported[0], extremes.min());
    reported[1] = Math.max(reported[1], extremes.max());
  }
}
