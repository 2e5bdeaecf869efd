package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown where memory is short. */
class FleetViewTest {
  private static final int SERIES = 40;
  private static final int COMMITS = 40;
  private static final int VALUES = 20;
  private static final long T0 = 1_700_000_040_000L;

  private final BucketLayout layout = BucketLayout.of(1, 3);
  private final SeriesStore store = new SeriesStore(config(1 << 20));
  private final FleetView view = new FleetView(store, Runnable::run);

  private static MergeConfig config(long memoryBytes) {
    MergeConfig all = MergeConfig.defaults();
    return new MergeConfig(
        all.maxSeries(),
        all.maxLayouts(),
        all.maxCounters(),
        List.of(),
        all.maxLabelLength(),
        Duration.ZERO,
        memoryBytes);
  }

  /** So many values, from bucket to bucket. */
  private MergedSeries merged(FleetSeries series, int commit, int firstBucket) {
    SparseCounts counts = new SparseCounts();
    for (int i = 0; i < VALUES; i++) {
      counts.visit(firstBucket + i * 16, 1);
    }
    PendingStep step = new PendingStep(T0);
    step.cover(T0, T0 + 1000);
    step.sum()
        .part(layout, SentIntervals.HIGHEST)
        .counts()
        .add(counts, SumMinMax.of(0, 100, true, 1, 9));
    step.sum().seen(T0, T0, 1);
    return new MergedSeries(series, new SeriesDescription("", 0), commit == 0, T0, List.of(step));
  }

  private static FleetSeries overflowOfASidecar(String name) {
    SeriesKey of = SentIntervals.series(name).key();
    return new FleetSeries(Unit.NANOSECONDS, new SeriesKey(name, OverflowLabels.of(of.labels())));
  }

  /** Each commit reaches further up, so that all series need more counters each time. */
  @Test
  void series_thatGrowBeyondTheMemory_areHiddenAndCountNowhereElse() {
    List<FleetSeries> all = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      all.add(SentIntervals.series("request", "n", "" + i));
    }
    for (int commit = 0; commit < COMMITS; commit++) {
      List<CommittedChange> changes = new ArrayList<>();
      changes.add(merged(overflowOfASidecar("request"), commit, 0));
      for (FleetSeries each : all) {
        changes.add(merged(each, commit, commit * 1000));
      }
      view.publish(0, changes, SERIES + 1);
    }
    assertThat(store.series()).hasSizeBetween(1, SERIES - 1);
    assertThat(store.series()).allSatisfy(FleetViewTest::assertHasAll);
    assertThat(view.hiddenSeries()).isEqualTo(SERIES + 1 - store.series().size());
  }

  private static void assertHasAll(Series series) {
    Distribution total = new Distribution();
    series.readTotal(total);
    assertThat(total.count()).as("%s", series.key()).isEqualTo((long) VALUES * COMMITS);
  }
}
