package io.hdrsidecar.sidecar.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.metric.Amounts.CountAndSum;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AmountsTest {
  /** As System.nanoTime may be: below zero, and about to turn over. */
  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);

  private final Amounts amounts = new Amounts(nanoTime::get);

  private void pass(long seconds) {
    nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void totals_ofAll_areCountAndSum() {
    assertThat(amounts.totals()).isEqualTo(new CountAndSum(0, 0));

    amounts.add(0.25);
    pass(1000);
    amounts.add(0.5);

    assertThat(amounts.totals()).isEqualTo(new CountAndSum(2, 0.75));
  }

  @Test
  void recentMax_staysForAMinuteAtLeastAndTwoAtMost() {
    assertThat(amounts.recentMax()).isZero();

    amounts.add(3);
    amounts.add(2);
    pass(59);
    assertThat(amounts.recentMax()).isEqualTo(3);

    amounts.add(1);
    pass(1);
    assertThat(amounts.recentMax()).isEqualTo(3);
    pass(59);
    assertThat(amounts.recentMax()).isEqualTo(3);
    pass(1);
    assertThat(amounts.recentMax()).isZero();
  }

  @Test
  void recentMax_afterALongPause_isThatOfWhatCameSince() {
    amounts.add(3);
    pass(3600);
    amounts.add(1);

    assertThat(amounts.recentMax()).isEqualTo(1);
  }
}
