package io.hdrsidecar.sidecar.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Whom the journal forgets, by a clock turned by hand. */
class SequenceMemoryTest {
  private static final int MAX = 10;
  private static final InstanceId VICTIM = new InstanceId(1, 1);

  private long nanos;
  private final SequenceMemory memory = new SequenceMemory(MAX, Duration.ofHours(24), () -> nanos);

  private Map<InstanceId, RememberedInstance> all() {
    Map<InstanceId, RememberedInstance> all = new HashMap<>();
    memory.forEach(all::put);
    return all;
  }

  @Test
  void goodbye_ofAnyNumberOfOthers_forgetsNobodyWhoMayComeBack() {
    memory.sequence(VICTIM, 7);
    for (int i = 0; i < 10 * MAX; i++) {
      memory.sequence(new InstanceId(2, i), 1);
      memory.goodbye(new InstanceId(2, i));
    }

    assertThat(all()).containsKey(VICTIM).hasSize(MAX + 1);
    assertThat(all().get(VICTIM)).isEqualTo(new RememberedInstance(7, Duration.ZERO, false));
  }

  @Test
  void sequence_ofMoreThanThereIsRoomFor_forgetsWhoWasHeardOfLongestAgo() {
    for (int i = 0; i <= SequenceMemory.STAYING * MAX; i++) {
      memory.sequence(new InstanceId(2, i), 1);
      memory.sequence(VICTIM, i + 1);
    }

    assertThat(all()).hasSize(SequenceMemory.STAYING * MAX).containsKey(VICTIM);
    assertThat(all()).doesNotContainKeys(new InstanceId(2, 0), new InstanceId(2, 1));
  }

  @Test
  void forgetOld_afterItsTime_forgetsByTheTimeThatPassed() {
    memory.restore(VICTIM, new RememberedInstance(7, Duration.ofHours(23), false));
    nanos += Duration.ofMinutes(59).toNanos();
    memory.forgetOld();
    assertThat(Objects.requireNonNull(all().get(VICTIM)).away())
        .isEqualTo(Duration.ofMinutes(23 * 60 + 59));

    nanos += Duration.ofMinutes(2).toNanos();
    memory.forgetOld();
    assertThat(all()).isEmpty();
  }
}
