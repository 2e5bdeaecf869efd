package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void next_againAndAgain_doublesUpToTheLongestLessAtMostHalf(long seed) {
    Backoff backoff =
        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), new SplittableRandom(seed));

    for (int round = 0; round < 2; round++) {
      long[] fullMillis = {100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000};
      for (long full : fullMillis) {
        assertThat(backoff.next()).isBetween(full * 500_000, full * 1_000_000);
      }
      backoff.reset();
    }
  }
}
