package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.flood.HeapFlood;
import io.hdrsidecar.tests.support.Eventually;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sidecar in a small heap under attack lives, and a client beside it stays exact. Short; the
 * system property {@code flood.seconds} makes it a long one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class HeapFloodIT {
  private static final int SECONDS = Integer.getInteger("flood.seconds", 5);

  /** One that goes on takes its processor from all tests that follow in this JVM. */
  @AfterEach
  void attackers_afterTheAttack_haveEnded() throws Exception {
    Eventually.holds(
        () ->
            assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getThreadGroup)
                .filteredOn(group -> group != null) // that of a thread that has just ended
                .extracting(ThreadGroup::getName)
                .doesNotContain("attackers"));
  }

  @ParameterizedTest(name = "-Xmx{0}m, {1} x {2}")
  @CsvSource({"128, 200, frames", "128, 8, uploads"})
  void serve_underAttack_livesAndCountsAnHonestClientOnce(
      int heapMib, int connections, String attack) throws Exception {
    assertThat(HeapFlood.attack(heapMib, SECONDS, Map.of(attack, connections))).isTrue();
  }

  /** In the smallest heap whose bound holds. */
  @Test
  void serve_underAllAttacksAtOnce_livesInItsBoundAndCountsAnHonestClientOnce() throws Exception {
    assertThat(HeapFlood.attack(48, 2 * SECONDS, HeapFlood.ALL)).isTrue();
  }
}
