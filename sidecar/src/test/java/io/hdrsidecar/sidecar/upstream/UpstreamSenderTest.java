package io.hdrsidecar.sidecar.upstream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import io.hdrsidecar.internal.send.Verdict;
import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sender has been offered arrives once, over cuts, kills and absences. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class UpstreamSenderTest {
  private final NotedLedger ledger = new NotedLedger();
  private TestPeer peer;

  /** Not TCP: while nobody listens, who connects to a free port of this machine may meet itself. */
  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    peer = TestPeer.onUnixSocket(folder.resolve("peer"));
  }

  @AfterEach
  void noBreach() throws Exception {
    peer.close();
    assertThat(peer.breaches()).isEmpty();
  }

  private UpstreamHarness upstream() {
    return new UpstreamHarness(peer.address(), ledger, ledger.state());
  }

  private void awaitMerged(long values) {
    Await.until(values + " values merged", () -> peer.mergedValues() >= values);
  }

  private Accumulation merged(String key) {
    return requireNonNull(peer.merged(key), key);
  }

  private static void awaitNothingLeft(UpstreamHarness upstream) {
    Await.until("all acknowledged", () -> upstream.figures().values() == 0);
  }

  @Test
  void offer_twoSeries_arriveWithFiguresExemplarAndHelp() {
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", 1_000_003, 5, 70_000_000_007L);
      upstream.count("login", 8);
      awaitMerged(4);
      Accumulation checkout = merged("checkout");

      assertThat(checkout.sum().low()).isEqualTo(1_000_003 + 5 + 70_000_000_007L);
      assertThat(checkout.min()).isEqualTo(5);
      assertThat(checkout.max()).isEqualTo(70_000_000_007L);
      assertThat(requireNonNull(checkout.exemplar()).traceId()).isEqualTo("trace70000000007");
      assertThat(peer.hellos().get(0).resource()).isEqualTo(UpstreamHarness.RESOURCE);
      Await.until(
          "all acknowledged",
          () -> upstream.figures().sent().of(ClientFigure.ACKNOWLEDGED_VALUES) == 4);
      assertThat(upstream.figures().values()).isZero();
    }
  }

  /** Kills at any moment: the next begins with what the ledger has. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void kills_whilePeerCutsAndForgetsToAnswer_loseAndDoubleNothing(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Verdict[] verdicts = {
      Verdict.ACKNOWLEDGE, Verdict.MERGE_AND_CLOSE, Verdict.CLOSE, Verdict.ACKNOWLEDGE
    };
    peer.judge((n, series) -> verdicts[random.nextInt(verdicts.length)]);
    long written = 0;
    for (int life = 0; life < 12; life++) {
      try (UpstreamHarness upstream = upstream()) {
        for (int i = 0; i < 20; i++) {
          upstream.count("series" + random.nextInt(8), 1 + random.nextLong(1_000_000));
        }
        Await.until("written down", () -> upstream.isWritten(ledger));
        upstream.answerNoMore();
        LockSupport.parkNanos(random.nextInt(30_000_000)); // any moment will do
      }
      written += 20;
    }
    peer.judge((n, series) -> Verdict.ACKNOWLEDGE);
    try (UpstreamHarness upstream = upstream()) {
      awaitMerged(written);
      awaitNothingLeft(upstream);
      assertThat(peer.mergedValues()).isEqualTo(written);
    }
  }

  @Test
  void peerAway_manyBatches_areJoinedToOneIntervalEach() throws Exception {
    peer.stop();
    try (UpstreamHarness upstream = upstream()) {
      for (int batch = 1; batch <= 5; batch++) {
        upstream.count("checkout", batch);
        upstream.sender().hurry();
        Await.until("written down", () -> upstream.isWritten(ledger));
      }
      assertThat(ledger.state().intervals()).hasSize(1);
      assertThat(ledger.state().intervals().get(0).values()).isEqualTo(5);
      peer.start();
      awaitMerged(5);
      assertThat(peer.newIntervals()).isEqualTo(1);
      assertThat(merged("checkout").max()).isEqualTo(5);
    }
  }

  /** Of what was never sent nobody has seen the number, also after a kill. */
  @Test
  void peerAway_acrossKills_isStillJoined() throws Exception {
    peer.stop();
    for (int life = 1; life <= 4; life++) {
      try (UpstreamHarness upstream = upstream()) {
        upstream.count("checkout", life);
        Await.until("written down", () -> upstream.isWritten(ledger));
        upstream.answerNoMore();
      }
    }
    assertThat(ledger.state().intervals()).hasSize(1);
    peer.start();
    try (UpstreamHarness upstream = upstream()) {
      awaitMerged(4);
      awaitNothingLeft(upstream);
      assertThat(merged("checkout").sum().low()).isEqualTo(1 + 2 + 3 + 4);
    }
  }

  @Test
  void ledgerFails_nothingIsSentUntilItWorks() {
    ledger.fail(true);
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", 7);
      Await.until("tried", () -> upstream.figures().ledgerFailures() > 0);
      Await.until("connected", () -> upstream.figures().sent().connected());
      assertThat(peer.newIntervals()).isZero();
      assertThat(upstream.figures().values()).isEqualTo(1);
      ledger.fail(false);
      awaitMerged(1);
    }
  }

  @Test
  void welcomeAboveWhatWasSent_goesOnAsAnotherInstance() throws Exception {
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", 7);
      awaitMerged(1);
      awaitNothingLeft(upstream);
      InstanceId first = ledger.state().instance();
      peer.stop();
      peer.settledOfAll(1_000);
      upstream.count("checkout", 8, 9);
      Await.until("framed", () -> upstream.figures().sent().inFlightValues() == 2);
      peer.start();
      awaitMerged(3);
      awaitNothingLeft(upstream);

      assertThat(ledger.state().instance()).isNotEqualTo(first);
      assertThat(merged("checkout").sum().low()).isEqualTo(7 + 8 + 9);
      assertThat(upstream.figures().sent().lostValues()).isEmpty();
    }
  }

  @Test
  void welcomeAboveWhatWasSent_whatWasSentAndNotSettled_isLostAndCounted() throws Exception {
    peer.judge((n, series) -> Verdict.MERGE_SILENTLY);
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", 7);
      awaitMerged(1);
      peer.stop();
      peer.settledOfAll(1_000);
      peer.start();
      Await.until(
          "counted",
          () -> upstream.figures().sent().lostValues().getOrDefault("numbers_taken", 0L) == 1);
      awaitNothingLeft(upstream);
      assertThat(peer.mergedValues()).isEqualTo(1);
    }
  }

  @Test
  void pathLeadsBackHere_nothingIsSent() throws Exception {
    InstanceId other = new InstanceId(3, 4);
    peer.grants(new Frame.Welcome(1, 0, 1 << 20, 64, 1, List.of(other, UpstreamHarness.SIDECAR)));
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", 7);
      Await.until("noticed", () -> !upstream.figures().loop().isEmpty());
      assertThat(peer.newIntervals()).isZero();
      assertThat(upstream.paths()).isEmpty();
      peer.grants(new Frame.Welcome(1, 0, 1 << 20, 64, 1, List.of(other)));
      awaitMerged(1);
      Await.until("told", () -> upstream.figures().loop().isEmpty()); // once its turn has ended
      assertThat(upstream.paths()).isNotEmpty().allMatch(path -> path.equals(List.of(other)));
    }
  }

  @Test
  void close_allAcknowledged_saysGoodbyeAndLeavesNothing() {
    UpstreamHarness upstream = upstream();
    upstream.count("checkout", 7, 8);
    InstanceId first = ledger.state().instance();

    UpstreamFigures last = upstream.sender().close(Duration.ofSeconds(30));

    assertThat(last.values()).isZero();
    assertThat(peer.mergedValues()).isEqualTo(2);
    Await.until("goodbye", () -> peer.goodbyes() == 1);
    assertThat(ledger.state().intervals()).isEmpty();
    assertThat(ledger.state().instance()).isNotEqualTo(first);
    assertThat(ledger.state().position()).isPositive();
  }

  /** After it the other side may know the numbers no more, so nothing gets one. */
  @Test
  void close_goodbyeIsNotAnswered_nothingMoreIsAskedFor() {
    peer.judge(
        (interval, series) -> {
          peer.readNothingMore(true);
          return Verdict.ACKNOWLEDGE;
        });
    UpstreamHarness upstream = upstream();
    upstream.count("checkout", 7, 8);
    InstanceId first = ledger.state().instance();

    upstream.sender().close(Duration.ofSeconds(30)); // Waits for the answer, many intervals long.

    assertThat(peer.mergedValues()).isEqualTo(2);
    assertThat(ledger.state().instance()).isNotEqualTo(first);
    assertThat(ledger.state().intervals()).isEmpty();
  }

  /** Refused as a series, or as an interval that was on its way already. */
  @Test
  void refusedSeries_isCountedAsLost() {
    peer.refuseSeries("login");
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("login", 7, 8);
      upstream.count("checkout", 9);
      awaitMerged(1);
      Await.until(
          "counted",
          () ->
              upstream.figures().sent().lostValues().values().stream().mapToLong(n -> n).sum()
                  == 2);
      awaitNothingLeft(upstream);
    }
  }

  /** A frame that was made for another limit is made again, also if it stood in the ledger. */
  @Test
  void peerThatTakesLess_getsPartsOfNoLongerBodies() throws Exception {
    peer.stop();
    SplittableRandom random = new SplittableRandom(3);
    long[] values = new long[5_000];
    long sum = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong(1L << (10 + i % 31)); // of all magnitudes, so of many buckets
      sum += values[i];
    }
    try (UpstreamHarness upstream = upstream()) {
      upstream.count("checkout", values);
      Await.until("written down", () -> upstream.isWritten(ledger));
      assertThat(ledger.state().intervals()).hasSize(1);
      upstream.answerNoMore();
    }
    peer.limits(4_096, 64, 0);
    peer.start();
    try (UpstreamHarness upstream = upstream()) {
      awaitMerged(values.length);
      awaitNothingLeft(upstream);

      assertThat(peer.newIntervals()).isGreaterThan(1);
      assertThat(merged("checkout").sum().low()).isEqualTo(sum);
      assertThat(peer.mergedValues()).isEqualTo(values.length);
    }
  }

  /** As an overflow series of the store and one for want of memory here may be. */
  @Test
  void offer_twoPartsOfOneSeries_areAddedUp() {
    try (UpstreamHarness upstream = upstream()) {
      upstream.countTwice("checkout", 7, 8);
      awaitMerged(2);

      assertThat(merged("checkout").sum().low()).isEqualTo(7 + 8);
      assertThat(peer.newIntervals()).isEqualTo(1);
    }
  }
}
