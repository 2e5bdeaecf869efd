package io.hdrsidecar.sidecar.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingSumsTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final Labels RESOURCE = Labels.of("pod", "shop-1");
  private static final long HIGHEST = 3_600_000_000_000L;

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  private Series series(String name, String... labels) throws Exception {
    return store.register(
        new SeriesDefinition(
            new SeriesKey(name, Labels.of(labels)), Unit.NANOSECONDS, "Help.", LAYOUT, HIGHEST));
  }

  private static void add(PendingSums sums, Series series, long value, long start) {
    SparseCounts counts = new SparseCounts();
    counts.visit(LAYOUT.indexOf(value), 2);
    IntervalCounts interval = new IntervalCounts();
    interval.set(counts, SumMinMax.of(0, 2 * value, true, value, value));
    interval.offer(new Exemplar(value, 1, "trace" + value, ""));
    sums.add(series, LAYOUT, interval, start, start + 1_000);
  }

  @Test
  void take_severalIntervals_isOneSumWithAllFigures() throws Exception {
    PendingSums sums = new PendingSums(1 << 20, RESOURCE, name -> false);
    Series checkout = series("checkout", "route", "/pay");
    add(sums, checkout, 1_000_003, 5_000);
    add(sums, checkout, 7, 3_000);

    UpstreamBatch batch = sums.take(12);

    assertThat(batch.position()).isEqualTo(12);
    assertThat(batch.parts()).hasSize(1);
    UpstreamBatch.SummedSeries part = batch.parts().get(0);
    assertThat(part.definition().key()).isEqualTo(checkout.key());
    assertThat(part.definition().help()).isEqualTo("Help.");
    assertThat(part.counts().count()).isEqualTo(4);
    assertThat(part.counts().sum().low()).isEqualTo(2 * (1_000_003 + 7));
    assertThat(part.counts().min()).isEqualTo(7);
    assertThat(part.counts().max()).isEqualTo(1_000_003);
    assertThat(part.counts().exemplar()).isEqualTo(new Exemplar(1_000_003, 1, "trace1000003", ""));
    assertThat(part.startMillis()).isEqualTo(3_000);
    assertThat(part.endMillis()).isEqualTo(6_000);
    assertThat(sums.take(13).parts()).isEmpty();
    assertThat(sums.bytes()).isZero();
  }

  /** What says where the sidecar runs travels beside the series; another pod's label stays. */
  @Test
  void take_labelsThatSayWhatTheResourceSays_areLeftOut() throws Exception {
    PendingSums sums = new PendingSums(1 << 20, RESOURCE, name -> false);
    add(sums, series("checkout", "pod", "shop-1", "route", "/pay"), 7, 1);
    add(sums, series("checkout", "pod", "other", "route", "/pay"), 7, 1);

    assertThat(sums.take(1).parts())
        .extracting(part -> part.definition().key().labels())
        .containsExactlyInAnyOrder(
            Labels.of("route", "/pay"), Labels.of("pod", "other", "route", "/pay"));
  }

  @Test
  void add_ownSeries_isLeftOut() throws Exception {
    PendingSums sums = new PendingSums(1 << 20, RESOURCE, "sidecar_hiccup"::equals);
    add(sums, series("sidecar_hiccup"), 7, 1);

    assertThat(sums.take(1).parts()).isEmpty();
  }

  /** Resolution goes first, labels next, counts last; nothing goes without being counted. */
  @Test
  void add_moreThanThereIsRoomFor_asksFoldsAndCounts() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    PendingSums sums = new PendingSums(40 << 10, RESOURCE, name -> false);
    sums.share(() -> 0, asked::incrementAndGet);
    long values = 0;
    for (int i = 0; i < 200; i++) {
      add(sums, series("checkout", "user", "u" + i, "kind", "wait"), 1_000_000, 1);
      values += 2;
    }

    assertThat(asked).hasValue(1);
    assertThat(sums.bytes()).isLessThanOrEqualTo(40 << 10);
    assertThat(sums.foldedValues()).isPositive();
    UpstreamBatch batch = sums.take(1);
    long taken = batch.parts().stream().mapToLong(part -> part.counts().count()).sum();
    assertThat(taken + sums.lostValues()).isEqualTo(values);
    assertThat(batch.parts())
        .anySatisfy(
            part ->
                assertThat(part.definition().key().labels())
                    .isEqualTo(Labels.of("overflow", "true", "kind", "wait")));
  }

  @Test
  void add_whereFramesTakeAllTheRoom_isLostAndCounted() throws Exception {
    PendingSums sums = new PendingSums(40 << 10, RESOURCE, name -> false);
    sums.share(() -> 40 << 10, () -> {});
    add(sums, series("checkout"), 1_000_000, 1);

    assertThat(sums.lostValues()).isEqualTo(2);
    assertThat(sums.take(1).parts()).isEmpty();
  }

  /** A frame has no place for them; they are not lost here, and counted as lost above. */
  @Test
  void add_bucketsThatAreNotHdrHistograms_isCountedAndNotTaken() throws Exception {
    PendingSums sums = new PendingSums(1 << 20, RESOURCE, name -> false);
    Series checkout = series("checkout");
    BucketLayout base2 = BucketLayout.base2(3, 1_000_000_000);
    SparseCounts counts = new SparseCounts();
    counts.visit(base2.indexOf(1_000_003), 5);
    IntervalCounts interval = new IntervalCounts();
    interval.set(counts, SumMinMax.of(0, 5, true, 1_000_003, 1_000_003));
    sums.add(checkout, base2, interval, 1, 2);
    add(sums, checkout, 7, 1);

    assertThat(sums.foreignValues()).isEqualTo(5);
    assertThat(sums.values()).isEqualTo(2);
    assertThat(sums.take(1).parts())
        .singleElement()
        .satisfies(part -> assertThat(part.definition().layout()).isEqualTo(LAYOUT));
  }
}
