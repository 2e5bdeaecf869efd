package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When commits that take too long come to an end, on a clock that is turned by hand. */
class CommitTimeTest {
  private final AtomicLong nanos = new AtomicLong();
  private final CommitTime time = new CommitTime(nanos::get, Duration.ofSeconds(30));

  private void works(int seconds) {
    time.works(() -> passes(seconds));
  }

  private void passes(int seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  private void fails(int... seconds) {
    for (int part : seconds) {
      works(part);
    }
    time.failed();
  }

  @Test
  void commits_thatTookTooLongAndFailed_comeToAnEndThatSaysWhatToDo() {
    fails(16, 16);
    fails(31);
    fails(40);

    assertThatThrownBy(() -> works(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("within 30 s")
        .hasMessageContaining("last 3 took longer")
        .hasMessageContaining("node.threads")
        .hasMessageContaining("node.pending-memory");
  }

  @Test
  void commit_thatSucceeds_beginsTheSuccessionAnew() {
    for (int i = 0; i < 4; i++) {
      fails(31);
      fails(31);
      works(31);
      time.committed();
    }
    assertThatCode(() -> works(1)).doesNotThrowAnyException();
  }

  /** Brokers are away, or a partition moved. */
  @Test
  void commits_thatFailForAnotherReason_goOn() {
    for (int i = 0; i < 4; i++) {
      works(29);
      passes(600);
      time.failed();
    }
    assertThatCode(() -> works(1)).doesNotThrowAnyException();
  }

  @Test
  void upkeep_isAtLeastOneLookAndEndsInTime() {
    passes(1);
    Upkeep slow = new Upkeep(100, () -> nanos.addAndGet(10), 25);
    int looks = 0;
    while (slow.next()) {
      looks++;
    }
    assertThat(looks).isEqualTo(3);

    Upkeep late = new Upkeep(100, () -> nanos.addAndGet(10), 0);
    assertThat(late.next()).isTrue();
    assertThat(late.next()).isFalse();

    Upkeep few = new Upkeep(2, nanos::get, 1);
    assertThat(few.next()).isTrue();
    assertThat(few.next()).isTrue();
    assertThat(few.next()).isFalse();
  }
}
