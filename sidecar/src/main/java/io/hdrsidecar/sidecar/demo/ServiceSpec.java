package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.sidecar.input.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Which mock service to call, as the option {@code --service} names it. */
sealed interface ServiceSpec {
  /** One service for each thread; the same seed gives each thread the same sequence of calls. */
  List<MockService> forThreads(int threads, long seed, Pause standstill);

  /**
   * Reads {@code four-mode} or {@code fixed:DURATION}.
   *
   * @throws IllegalArgumentException for anything else; the message says what is expected
   */
  static ServiceSpec parse(String text) {
    if (text.equals("four-mode")) {
      return new FourMode();
    }
    if (text.startsWith(Fixed.PREFIX)) {
      return new Fixed(DurationText.parse(text.substring(Fixed.PREFIX.length())));
    }
    throw new IllegalArgumentException("must be four-mode or fixed:DURATION (fixed:4ms): " + text);
  }

  /** {@link FourModeService}. */
  record FourMode() implements ServiceSpec {
    @Override
    public List<MockService> forThreads(int threads, long seed, Pause standstill) {
      SplittableRandom root = new SplittableRandom(seed);
      return IntStream.range(0, threads)
          .<MockService>mapToObj(thread -> new FourModeService(root.split(), standstill))
          .toList();
    }
  }

  /** {@link FixedService}. */
  record Fixed(Duration serviceTime) implements ServiceSpec {
    private static final String PREFIX = "fixed:";

    @Override
    public List<MockService> forThreads(int threads, long seed, Pause standstill) {
      return IntStream.range(0, threads)
          .<MockService>mapToObj(thread -> new FixedService(serviceTime))
          .toList();
    }
  }
}
