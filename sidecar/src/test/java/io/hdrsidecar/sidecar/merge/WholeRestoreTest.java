package io.hdrsidecar.sidecar.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Series that are restored while others read. */
@Timeout(60)
class WholeRestoreTest {
  private static final SeriesKey KEY = new SeriesKey("checkout", Labels.of("route", "/pay"));
  private static final long HIGHEST = 3_600_000_000_000L;

  private final SeriesStore store =
      new SeriesStore(
          new MergeConfig(10, 4, 33_792, WindowSpec.parseList("1m"), 2048, Duration.ZERO));

  private static IntervalCounts counted(BucketLayout layout, long value) {
    SparseCounts buckets = new SparseCounts();
    buckets.visit(layout.indexOf(value), 1);
    IntervalCounts counted = new IntervalCounts();
    counted.set(buckets, SumMinMax.of(0, value, true, value, value));
    return counted;
  }

  private static StoreRestore.Total total(int digits, long value) {
    BucketLayout layout = BucketLayout.of(1, digits);
    return new StoreRestore.Total(
        new SeriesDefinition(KEY, Unit.NANOSECONDS, "", layout, HIGHEST), counted(layout, value));
  }

  @Test
  void whole_secondLayoutIsBeyondTheLimits_isRefusedAndNotThere() {
    // 5 digits need more counters than a series may have.
    assertThatThrownBy(
            () -> store.restore().whole(List.of(total(2, 7), total(5, 7)), Instant.EPOCH, 2, 0))
        .isInstanceOf(RefusedException.class);
    assertThat(store.find(KEY)).isEmpty();
  }

  @Test
  void whole_afterARefusal_isRestored() throws Exception {
    assertThatThrownBy(
            () -> store.restore().whole(List.of(total(2, 7), total(5, 7)), Instant.EPOCH, 2, 0))
        .isInstanceOf(RefusedException.class);
    Series series = store.restore().whole(List.of(total(2, 7)), Instant.EPOCH, 1, 0);
    Distribution read = new Distribution();
    series.readTotal(read);
    assertThat(read.count()).isEqualTo(1);
  }

  @Test
  void window_ofOnePlace_isInThatAlone() throws Exception {
    SeriesStore two =
        new SeriesStore(
            new MergeConfig(10, 4, 33_792, WindowSpec.parseList("1m,5m"), 2048, Duration.ZERO));
    Series series = two.restore().whole(List.of(total(3, 7)), Instant.EPOCH, 1, 0);
    BucketLayout layout = BucketLayout.of(1, 3);
    two.restore().window(series, layout, 1, counted(layout, 9));
    Distribution read = new Distribution();
    series.readWindow(0, read);
    assertThat(read.count()).isZero();
    series.readWindow(1, read);
    assertThat(read.max()).isEqualTo(9);
    assertThat(series.hasWholeWindows()).isTrue();
    two.restore().withoutWindows(series);
    assertThat(series.hasWholeWindows()).isFalse();
  }
}
