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

  private HiccupControl control(int resolutionMillis) throws RefusedException {
    return new HiccupControl(
        store, HiccupConfig.DEFAULT.withResolution(Duration.ofMillis(resolutionMillis)));
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

  private long intervalsAfterHarvest(HiccupControl control) {
    harvest(control, 1);
    return store
        .find(new SeriesKey("sidecar_hiccup_raw", Labels.empty()))
        .orElseThrow()
        .intervals();
  }

  @Test
  void harvest_whileNobodySends_looksATenthAsOftenUntilSomebodyDoes() throws Exception {
    try (HiccupControl control = control(2);
        OwnSeries client = client()) {
      harvest(control, 9);
      assertThat(control.resolution()).hasMillis(2);
      harvest(control, 1);
      assertThat(control.resolution()).hasMillis(20);
      harvest(control, 100);
      assertThat(control.resolution()).hasMillis(20);

      recorder.record(5);
      client.merge(now);
      harvest(control, 1);
      assertThat(control.resolution()).hasMillis(2);
      harvest(control, 10);
      assertThat(control.resolution()).hasMillis(20);
    }
  }

  @Test
  void harvest_asItRests_goesOnToMeasure() throws Exception {
    try (HiccupControl control = control(1)) {
      harvest(control, 11);
      assertThat(control.resolution()).hasMillis(10);
      long before = intervalsAfterHarvest(control);
      while (intervalsAfterHarvest(control) < before + 3) {
        Thread.onSpinWait(); // until the test's time-out
      }
    }
  }

  @Test
  void resolution_atRest_isASecondAtMost() throws Exception {
    try (HiccupControl control = control(1000)) {
      harvest(control, 11);
      assertThat(control.resolution()).hasSeconds(1);
    }
  }
}
