package io.hdrsidecar.sidecar.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapBudgetTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {48, 64, 128, 512, 6028, 60_000})
  void shares_ofAnyHeap_fitBesideWhatAnIdleSidecarHolds(long heapMib) {
    HeapBudget budget = HeapBudget.of(heapMib * MIB);

    long all = Arrays.stream(Use.values()).mapToLong(use -> budget.share(use).maxBytes()).sum();

    int keptPercent =
        HeapBudget.SERIES_PERCENT + HeapBudget.HISTORY_PERCENT + HeapBudget.MERGING_PERCENT;
    assertThat(keptPercent + Arrays.stream(Use.values()).mapToInt(Use::percent).sum())
        .isEqualTo(HeapBudget.ALL_PERCENT);
    long kept = HeapBudget.percentOf(keptPercent, heapMib * MIB);
    assertThat(all).isPositive().isLessThanOrEqualTo((heapMib - 12) * MIB - kept);
  }

  @Test
  void shares_ofAHeapThatIsFullWhenIdle_areStillThere() {
    HeapBudget budget = HeapBudget.of(8 * MIB);

    assertThat(Use.values())
        .allMatch(
            use ->
                Set.of(Use.STATSD, Use.OTLP, Use.EXPORT).contains(use)
                    || budget.share(use).maxBytes() > 100_000);
  }

  /** What clients may hold is less then, and nothing else changes. */
  @Test
  void withStatsd_ofAnyHeap_isTakenFromIngest() {
    HeapBudget without = HeapBudget.of(112 * MIB);
    HeapBudget with = HeapBudget.with(true, false, false, 112 * MIB);

    assertThat(without.share(Use.STATSD).maxBytes()).isZero();
    assertThat(with.share(Use.STATSD).maxBytes()).isEqualTo(5 * MIB);
    assertThat(with.share(Use.INGEST).maxBytes()).isEqualTo(7 * MIB);
    assertThat(Use.values())
        .allMatch(
            use ->
                use == Use.STATSD
                    || use == Use.INGEST
                    || with.share(use).maxBytes() == without.share(use).maxBytes());
  }

  @Test
  void withBoth_ofAnyHeap_isTakenFromIngestAndUploads() {
    HeapBudget both = HeapBudget.with(true, true, false, 112 * MIB);

    assertThat(both.share(Use.STATSD).maxBytes()).isEqualTo(5 * MIB);
    assertThat(both.share(Use.OTLP).maxBytes()).isEqualTo(8 * MIB);
    assertThat(both.share(Use.INGEST).maxBytes()).isEqualTo(3 * MIB);
    assertThat(both.share(Use.UPLOADS).maxBytes()).isEqualTo(2 * MIB);
    assertThat(Arrays.stream(Use.values()).mapToLong(u -> both.share(u).maxBytes()).sum())
        .isEqualTo(45 * MIB);
  }

  @Test
  void withAll_ofAnyHeap_exportIsTakenFromScrapesAndQueries() {
    HeapBudget all = HeapBudget.with(true, true, true, 112 * MIB);

    assertThat(all.share(Use.EXPORT).maxBytes()).isEqualTo(4 * MIB);
    assertThat(all.share(Use.SCRAPES).maxBytes()).isEqualTo(5 * MIB);
    assertThat(all.share(Use.QUERIES).maxBytes()).isEqualTo(4 * MIB);
    assertThat(Arrays.stream(Use.values()).mapToLong(u -> all.share(u).maxBytes()).sum())
        .isEqualTo(45 * MIB);
  }

  @Test
  void of_noHeap_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeapBudget.of(0))
        .withMessageContaining("0");
  }

  @Test
  void tryTake_upToTheShare_isGranted_andBeyondItNot() {
    HeapShare share = HeapBudget.of(112 * MIB).share(Use.INGEST);

    assertThat(share.maxBytes()).isEqualTo(100 * MIB / 100 * 12);
    assertThat(share.tryTake(share.maxBytes() - 1)).isTrue();
    assertThat(share.tryTake(2)).isFalse();
    assertThat(share.tryTake(1)).isTrue();
    assertThat(share.heldBytes()).isEqualTo(share.maxBytes());
    assertThat(share.refused()).isEqualTo(1);
  }

  @Test
  void tryTake_whatIsTooMuchEvenForAnEmptyShare_isRefusedWithoutOverflow() {
    HeapShare share = HeapBudget.of(112 * MIB).share(Use.QUERIES);
    share.tryTake(10);

    assertThat(share.tryTake(Long.MAX_VALUE)).isFalse();
    assertThat(share.heldBytes()).isEqualTo(10);
  }

  @Test
  void tryTake_ofAFullShare_leavesTheOthersAlone() {
    HeapBudget budget = HeapBudget.of(64 * MIB);
    HeapShare uploads = budget.share(Use.UPLOADS);
    uploads.tryTake(uploads.maxBytes());

    assertThat(uploads.tryTake(1)).isFalse();
    assertThat(budget.share(Use.SCRAPES).tryTake(1)).isTrue();
  }

  @Test
  void release_whatWasTaken_makesRoom_andMostHeldRemembersIt() {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.UPLOADS);
    share.tryTake(share.maxBytes());
    share.release(share.maxBytes());

    assertThat(share.heldBytes()).isZero();
    assertThat(share.tryTake(7)).isTrue();
    assertThat(share.mostHeldBytes()).isEqualTo(share.maxBytes());
  }

  @Test
  void release_moreThanIsHeld_isAMistakeAndChangesNothing() {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.UPLOADS);
    share.tryTake(5);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> share.release(6))
        .withMessageContaining("UPLOADS");
    assertThat(share.heldBytes()).isEqualTo(5);
  }

  @Test
  void claim_thatGrowsAndIsClosedTwice_givesBackOnce() {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.UPLOADS);
    share.tryTake(100);
    HeapClaim claim = share.claim();

    assertThat(claim.tryGrow(10)).isTrue();
    assertThat(claim.tryGrow(20)).isTrue();
    claim.shrink(5);
    assertThat(claim.bytes()).isEqualTo(25);
    assertThat(share.heldBytes()).isEqualTo(125);
    claim.close();
    claim.close();

    assertThat(share.heldBytes()).isEqualTo(100);
    assertThat(claim.tryGrow(1)).isFalse();
  }

  @Test
  void claim_withoutRoom_keepsWhatItHas() {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.UPLOADS);
    HeapClaim claim = share.claim();
    claim.tryGrow(10);

    assertThat(claim.tryGrow(share.maxBytes())).isFalse();
    assertThat(claim.bytes()).isEqualTo(10);
  }

  @Test
  void arrayCost_ofHalfARegionOrMore_isThatOfWholeRegions() {
    assertThat(HeapShare.arrayCost(1000)).isBetween(1000L, 1040L);
    // One byte above a region takes two; half a region takes one.
    assertThat(HeapShare.arrayCost(MIB)).isGreaterThanOrEqualTo(2 * MIB);
    assertThat(HeapShare.arrayCost(MIB / 2)).isGreaterThanOrEqualTo(MIB);
  }

  @Test
  void atMost_aPart_takesOfTheWholeToo_andItsRefusalsCountThere() {
    HeapShare whole = HeapBudget.of(64 * MIB).share(Use.UPLOADS);
    HeapShare part = whole.atMost(100);

    assertThat(part.tryTake(60)).isTrue();
    assertThat(part.tryTake(50)).isFalse();
    assertThat(whole.heldBytes()).isEqualTo(60);
    assertThat(whole.refused()).isEqualTo(1);
    whole.tryTake(whole.maxBytes() - 60);
    assertThat(part.tryTake(1)).isFalse();
    assertThat(part.heldBytes()).isEqualTo(60);
    part.release(60);

    assertThat(part.heldBytes()).isZero();
    assertThat(whole.heldBytes()).isEqualTo(whole.maxBytes() - 60);
  }

  @Test
  void tryTake_fromManyThreads_neverGrantsMoreThanTheShare() throws InterruptedException {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.QUERIES);
    long piece = share.maxBytes() / 10;
    AtomicLong granted = new AtomicLong();
    CountDownLatch go = new CountDownLatch(1);
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                awaitUninterrupted(go);
                for (int n = 0; n < 10; n++) {
                  granted.addAndGet(share.tryTake(piece) ? 1 : 0);
                }
              });
      threads[i].start();
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(granted.get()).isEqualTo(10);
    assertThat(share.heldBytes()).isEqualTo(10 * piece);
    assertThat(share.refused()).isEqualTo(70);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void grow_beyondWhatIsFree_saysWhetherWaitingHelps() {
    HeapShare share = HeapBudget.of(64 * MIB).share(Use.QUERIES);
    long most = share.maxBytes();
    try (HeapClaim first = share.claim();
        HeapClaim second = share.claim()) {
      first.grow(most - 10);
      second.resize(0, 10);
      assertThatExceptionOfType(HeapFullException.class)
          .isThrownBy(() -> second.grow(1))
          .matches(full -> !full.isForGood())
          .matches(full -> full.neededBytes() == 11);
      assertThatExceptionOfType(HeapFullException.class)
          .isThrownBy(() -> first.grow(11))
          .matches(HeapFullException::isForGood);
      second.resize(10, 4);
      assertThat(share.heldBytes()).isEqualTo(most - 6);
      assertThat(first.roomBytes()).isEqualTo(6);
    }
    assertThat(share.heldBytes()).isZero();
    assertThat(share.refused()).isZero();
  }
}
