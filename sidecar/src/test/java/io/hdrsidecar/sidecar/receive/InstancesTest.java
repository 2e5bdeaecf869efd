package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whom the sidecar forgets for want of room, and whom it does not; by a clock turned by hand. */
class InstancesTest {
  private static final int MAX = 10;

  private final Instances instances = new Instances(MAX, Duration.ofHours(24));

  private static InstanceId id(long number) {
    return new InstanceId(0, number);
  }

  private Instance known(long number, Duration now) throws MalformedFrameException {
    return instances.known(id(number), now.toNanos());
  }

  private void fill() throws MalformedFrameException {
    for (int i = 0; i < MAX; i++) {
      known(i, Duration.ofMinutes(i)).settle(1);
    }
  }

  @Test
  void newInstance_placesAreTakenByThoseOfTheLastHour_isRefused() throws Exception {
    fill();

    assertThatExceptionOfType(MalformedFrameException.class)
        .isThrownBy(() -> known(100, Duration.ofMinutes(59)))
        .withMessageContaining("ingest.max-instances")
        .withMessageEndingWith("none of them for less than 1h")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(RejectReason.INSTANCE_LIMIT));
    assertThat(instances.size()).isEqualTo(MAX);
    assertThat(known(0, Duration.ofMinutes(59)).lastSequence()).isEqualTo(1);
  }

  @Test
  void newInstance_oneHasBeenAwayForAnHour_takesItsPlace() throws Exception {
    fill();

    known(100, Duration.ofMinutes(60));

    assertThat(instances.find(id(0))).isNull();
    assertThat(instances.find(id(1))).isNotNull();
    assertThat(instances.size()).isEqualTo(MAX);
  }

  /** As long as ingest.instance-memory says, not as long again after each start. */
  @Test
  void restore_instanceThatWasAwayBefore_isForgottenWhenItsTimeIsOver() {
    Duration now = Duration.ofDays(3);
    instances.restore(
        Map.of(
            id(1), new RememberedInstance(7, Duration.ofHours(23), false),
            id(2), new RememberedInstance(8, Duration.ZERO, false),
            id(3), new RememberedInstance(9, Duration.ZERO, true)),
        now.toNanos());

    instances.forgetOld(now.plus(Duration.ofMinutes(61)).toNanos());

    assertThat(instances.find(id(1))).isNull();
    assertThat(instances.find(id(2))).isNotNull();
    assertThat(instances.find(id(3))).isNull();
  }
}
