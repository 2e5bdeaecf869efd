package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final RateLimit limit = new RateLimit(3, Duration.ofNanos(10), now::get);

  private int takenNow() {
    int taken = 0;
    while (limit.take() == 0) {
      taken++;
    }
    return taken;
  }

  @Test
  void take_unused_isPossibleSoManyTimes() {
    assertThat(takenNow()).isEqualTo(3);
    now.addAndGet(1_000_000);
    assertThat(takenNow()).isEqualTo(3);
  }

  @Test
  void take_later_isPossibleOnceInEachInterval() {
    assertThat(takenNow()).isEqualTo(3);
    assertThat(limit.take()).isEqualTo(10);
    now.addAndGet(9);
    assertThat(limit.take()).isEqualTo(1);
    now.addAndGet(1);
    assertThat(takenNow()).isEqualTo(1);
    now.addAndGet(25);
    assertThat(takenNow()).isEqualTo(2);
    now.addAndGet(5);
    assertThat(takenNow()).isEqualTo(1);
  }
}
