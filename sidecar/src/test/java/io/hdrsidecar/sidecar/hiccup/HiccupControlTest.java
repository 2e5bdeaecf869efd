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
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** At rest it looks once in a real second: so often it may find that nothing was measured. */
  private void assertMergesAtMultiplesOf(int each, SeriesStore into) throws RefusedException {
    try (HiccupControl control = control(into)) {
      harvest(control, 10);
      int harvests = 10;
      do { // until the test's time-out
        long before = into.mergedIntervals();
        do {
          harvest(control, 1);
          harvests++;
        } while (into.mergedIntervals() == before);
        assertThat(harvests % each).isZero();
      } while (harvests % (2 * each) == 0); // as if it were half as often
    }
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
  void harvest_asItRests_goesOnToMeasureAndMergesEachFifteenthTime() throws Exception {
    assertMergesAtMultiplesOf(15, store);
  }

  @ParameterizedTest
  @CsvSource({"4, 60, 2", "0, 10, 5", "3600, 1, 1"})
  void harvest_whereSeriesEndOrWindowsPassSoon_mergesMoreOften(
      int expirySeconds, int windowSeconds, int harvests) throws Exception {
    MergeConfig defaults = MergeConfig.defaults();
    assertMergesAtMultiplesOf(
        harvests,
        new SeriesStore(
            new MergeConfig(
                defaults.maxSeries(),
                defaults.maxLayouts(),
                defaults.maxCounters(),
                List.of(WindowSpec.parse(windowSeconds + "s")),
                defaults.maxLabelLength(),
                Duration.ofSeconds(expirySeconds))));
  }
}
