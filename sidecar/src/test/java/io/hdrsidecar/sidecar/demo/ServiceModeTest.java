package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ServiceModeTest {
  private static final int DRAWS = 4_000_000;

  @Test
  void perTenThousand_ofAllModes_addsUp() {
    assertThat(Stream.of(ServiceMode.values()).mapToInt(ServiceMode::perTenThousand).sum())
        .isEqualTo(ServiceMode.CALLS);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void draw_manyTimes_hitsEachModeAsOftenAsStated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<ServiceMode, Long> drawn =
        Stream.generate(() -> ServiceMode.draw(random))
            .limit(DRAWS)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    for (ServiceMode mode : ServiceMode.values()) {
      double p = mode.perTenThousand() / (double) ServiceMode.CALLS;
      double fiveSigma = 5 * Math.sqrt(DRAWS * p * (1 - p));
      assertThat((double) drawn.getOrDefault(mode, 0L))
          .as("%s", mode)
          .isCloseTo(DRAWS * p, within(fiveSigma));
    }
  }

  @ParameterizedTest
  @EnumSource
  void drawNanos_ofEachMode_fillsItsRange(ServiceMode mode) {
    SplittableRandom random = new SplittableRandom(1);
    long[] drawn = IntStream.range(0, 100_000).mapToLong(i -> mode.drawNanos(random)).toArray();

    long span = mode.maxNanos() - mode.minNanos();
    assertThat(LongStream.of(drawn).min().orElseThrow())
        .isBetween(mode.minNanos(), mode.minNanos() + span / 1_000);
    assertThat(LongStream.of(drawn).max().orElseThrow())
        .isBetween(mode.maxNanos() - span / 1_000, mode.maxNanos());
  }

  @Test
  void draw_withTheSameSeed_isTheSameSequenceForEachThread() {
    assertThat(modesOfThirdThread(42)).isEqualTo(modesOfThirdThread(42));
    assertThat(modesOfThirdThread(42)).isNotEqualTo(modesOfThirdThread(43));
  }

  private static List<Long> modesOfThirdThread(long seed) {
    SplittableRandom root = new SplittableRandom(seed);
    root.split();
    root.split();
    SplittableRandom third = root.split();
    return Stream.generate(() -> ServiceMode.draw(third).drawNanos(third)).limit(1_000).toList();
  }
}
