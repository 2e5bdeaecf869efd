package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FallbacksTest {
  private static final String LOGGER = FallbacksTest.class.getName();

  private final Fallbacks fallbacks = new Fallbacks(Clock.SYSTEM, System.getLogger(LOGGER));

  private static Timer timer(Fallbacks fallbacks, String tag) {
    Meter.Id id = new Meter.Id("pay", Tags.of("n", tag), null, null, Meter.Type.TIMER);
    return fallbacks.timer(
        id,
        () -> {
          throw new IllegalStateException("no reason");
        });
  }

  @Test
  void timer_whoseMakingFailsOtherThanByLinkage_worksInProcess_andNoVersionIsBlamed() {
    try (Warnings warnings = new Warnings(LOGGER)) {
      Timer first = timer(fallbacks, "1");
      Timer second = timer(fallbacks, "2");
      first.record(Duration.ofMillis(1));

      assertThat(first.count()).isEqualTo(1);
      assertThat(second.count()).isZero();
      assertThat(warnings.said())
          .containsExactly(
              "meter=pay[tag(n=1)] and others of type TIMER that fail as it does work in process"
                  + " and are not sent to the sidecar: they cannot be made:"
                  + " java.lang.IllegalStateException: no reason");
    }
  }
}
