package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Labels are encoded once for the formats that spell them alike, and for two spellings at most. */
class KeptLabelsTest {
  private static final int SERIES = 500;
  private static final String TEXT = "text/plain";
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
  private static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
          + " encoding=delimited";

  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());

  @BeforeEach
  void fill() throws Exception {
    for (int i = 0; i < SERIES; i++) {
      Labels labels = Labels.of("route", "/things/" + i, "method", "GET", "region", "eu");
      Recording.record(
          store,
          Recording.definition("checkout", labels, Unit.NANOSECONDS, "Help."),
          4_000_000,
          20_000_000);
    }
  }

  @Test
  void render_openMetricsAsTheThirdFormat_allocatesAsMuchAsTheOnlyOne() throws Exception {
    Exposition alone = exposition();
    Exposition third = exposition();
    Page.of(third, PROTOBUF, false);
    Page.of(third, TEXT, false);

    long aloneBytes = leastAllocated(alone, OPEN_METRICS);
    long thirdBytes = leastAllocated(third, OPEN_METRICS);

    // Labels encoded anew take more than 500 bytes a series.
    assertThat(thirdBytes - aloneBytes).isLessThan(100 * SERIES);
  }

  @Test
  void begin_inBothFormatsOfText_haveTheSameLabels() {
    Exposition exposition = exposition();
    SeriesLabels text = labels(exposition, TEXT);

    assertThat(labels(exposition, OPEN_METRICS)).isSameAs(text);
    assertThat(labels(exposition, PROTOBUF)).isNotSameAs(text);
  }

  @Test
  void begin_inMoreSpellingsThanTheMemoryOfASeriesHasRoomFor_keepsTwo() {
    Exposition exposition = exposition();
    List<SeriesLabels> labels =
        List.of(
            labels(exposition, TEXT),
            labels(exposition, OPEN_METRICS),
            labels(exposition, PROTOBUF),
            labels(exposition, OPEN_METRICS + "; escaping=dots"),
            labels(exposition, PROTOBUF + "; escaping=dots"));

    assertThat(labels)
        .extracting(SeriesLabels::areKept)
        .containsExactly(true, true, true, false, false);
  }

  private static SeriesLabels labels(Exposition exposition, String accept) {
    return exposition.begin(exposition.format(accept, false)).series().labels();
  }

  private Exposition exposition() {
    return new Exposition(ExposeConfig.defaults(), store, new MetricRegistry());
  }

  /** Of some pages, since what is compiled meanwhile may allocate less. */
  private static long leastAllocated(Exposition exposition, String accept) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Page.of(exposition, accept, false);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      Page.of(exposition, accept, false);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
