package io.hdrsidecar.sidecar.hiccup;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.record.SeriesRecorder;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HiccupControlTest {
  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = 1_000_000;

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final SeriesRecorder recorder = new SeriesRecorder(LAYOUT, HIGHEST);
  private long now = System.currentTimeMillis();

  private static HiccupControl control(SeriesStore store) throws RefusedException {
    return new HiccupControl(store, HiccupConfig.DEFAULT.withResolution(Duration.ofMillis(2)));
  }

  private OwnSeries client() throws RefusedException {
    SeriesKey key = new SeriesKey("checkout", Labels.empty());
    return new OwnSeries(
        store, new SeriesDefinition(key, Unit.NANOSECONDS, "", LAYOUT, HIGHEST), recorder);
  }

  private void harvest(HiccupControl control, int times) {
    for (int i = 0; i < times; i++) {
      now += 1000;
      control.harvest(now);
    }
  }

  /** Harvests at rest until something is merged; returns how many that took. */
  private int harvestsUntilMerged(HiccupControl control, SeriesStore into) {
    long before = into.mergedIntervals();
    int harvests = 0;
    do { // until the test's time-out
      harvest(control, 1);
      harvests++;
    } while (into.mergedIntervals() == before);
    return harvests;
  }

  @Test
  void harvest_whileNobodySends_looksOnceASecondUntilSomebodyDoes() throws Exception {
    try (HiccupControl control = control(store);
        OwnSeries client = client()) {
      harvest(control, 9);
      assertThat(control.resolution()).hasMillis(2);
      harvest(control, 1);
      assertThat(control.resolution()).hasSeconds(1);
      harvest(control, 100);
      assertThat(control.resolution()).hasSeconds(1);

      recorder.record(5);
      client.merge(now);
      harvest(control, 1);
      assertThat(control.resolution()).hasMillis(2);
      harvest(control, 10);
      assertThat(control.resolution()).hasSeconds(1);
    }
  }

  @Test
  void harvest_asItRests_goesOnToMeasureAndMergesEachFifthTime() throws Exception {
    try (HiccupControl control = control(store)) {
      harvest(control, 10);
      for (int i = 0; i < 3; i++) {
        assertThat(harvestsUntilMerged(control, store) % 5).isZero();
      }
    }
  }

  @Test
  void harvest_whereSeriesEndSoon_mergesMoreOften() throws Exception {
    MergeConfig defaults = MergeConfig.defaults();
    SeriesStore brief =
        new SeriesStore(
            new MergeConfig(
                defaults.maxSeries(),
                defaults.maxLayouts(),
                defaults.maxCounters(),
                defaults.windows(),
                defaults.maxLabelLength(),
                Duration.ofSeconds(4)));
    try (HiccupControl control = control(brief)) {
      harvest(control, 10);
      int harvests = 10;
      do { // until the test's time-out
        harvests += harvestsUntilMerged(control, brief);
        assertThat(harvests % 2).isZero();
      } while (harvests % 5 == 0);
    }
  }
}
