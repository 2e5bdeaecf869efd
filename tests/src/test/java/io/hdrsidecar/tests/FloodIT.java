package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawClient;
import io.hdrsidecar.tests.support.ScrapeLoop;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.StatedHeap;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A million label sets from one client: memory stays under the bound that the sidecar states, no
 * count is lost or doubled, and scrapes go on.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FloodIT {
  private static final int LABEL_SETS = 1_000_000;
  private static final int IDS = 2_000;
  private static final int MAX_SERIES = 50;

  /**
   * Prometheus' default scrape_timeout: it must get its page within this, all through the flood.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final Pattern COUNT = Pattern.compile("\nflood_seconds_count\\{([^}]*)} (\\d+)");

  private static final List<String> OPTIONS =
      List.of(
          "--series-max=" + MAX_SERIES,
          "--series-max-memory=8MiB",
          "--series-max-layouts=1",
          "--series-max-counters=4096",
          "--series-max-label-length=256",
          "--windows=10s",
          "--ingest-max-connections=8",
          "--ingest-max-body=64KiB",
          "--ingest-max-instances=100",
          "--http-max-connections=8",
          "--http-max-body=1MiB",
          "--self-hiccups=off");

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void serve_millionLabelSetsOnTheWire_keepsCountsBoundAndScrapes() throws Exception {
    SidecarProcess sidecar = StatedHeap.start(processes, OPTIONS);
    Accumulation counted = new Accumulation(LAYOUT);
    counted.counts().add(LAYOUT.indexOf(5_000_000), 1);
    counted.counts().add(LAYOUT.indexOf(70_000_000), 1);
    counted.sum().add(75_000_000);
    counted.widen(5_000_000, 70_000_000);
    try (RawClient client = new RawClient(sidecar.ingestAddress());
        ScrapeLoop scrapes = new ScrapeLoop(sidecar, PATIENCE)) {
      for (int id = 1; id <= LABEL_SETS; id++) {
        client.declare(id % IDS, definition(id)); // A heap of 48 MiB has no room for a million.
        client.send(id % IDS, counted, HIGHEST);
      }
      client.awaitSettled();
      report("wire", sidecar, scrapes.end(), 2L * LABEL_SETS);
    }
  }

  private static SeriesDefinition definition(int id) {
    return new SeriesDefinition(
        new SeriesKey("flood", Labels.of("id", Integer.toString(id))),
        Unit.NANOSECONDS,
        "",
        LAYOUT,
        HIGHEST);
  }

  @Test
  void serve_millionLabelSetsThroughTheClientLibrary_keepsCountsBoundAndScrapes() throws Exception {
    SidecarProcess sidecar = StatedHeap.start(processes, OPTIONS);
    RecorderConfig config =
        RecorderConfig.latency()
            .withRange(LAYOUT.lowestDiscernibleValue(), HIGHEST)
            .withSignificantDigits(LAYOUT.significantDigits());
    try (ScrapeLoop scrapes = new ScrapeLoop(sidecar, PATIENCE);
        HdrSidecarClient client =
            HdrSidecarClient.create(
                ClientConfig.builder()
                    .address(sidecar.ingestAddress())
                    .interval(Duration.ofMillis(200))
                    .build())) {
      for (int id = 1; id <= LABEL_SETS; id++) {
        client.recorder("flood", Labels.of("id", Integer.toString(id)), config).record(id);
      }
      assertThat(client.close(Duration.ofSeconds(60)).deliveredAll()).isTrue();
      report("client-lib", sidecar, scrapes.end(), LABEL_SETS);
    }
  }

  private static void report(
      String way, SidecarProcess sidecar, ScrapeLoop.Result scrapes, long sentValues)
      throws Exception {
    long counted = 0;
    long overflow = 0;
    int series = 0;
    for (Matcher line = COUNT.matcher(sidecar.metrics()); line.find(); series++) {
      counted += Long.parseLong(line.group(2));
      overflow += line.group(1).equals("overflow=\"true\"") ? Long.parseLong(line.group(2)) : 0;
    }
    JsonObject memory = sidecar.status().getJsonObject("memory");
    long bound = memory.getLong("boundBytes");
    long heap = memory.getLong("heapMaxBytes");
    long peakRss = sidecar.memoryBytes("VmHWM");
    System.out.printf(
        "flood (%s): label sets=%d series=%d overflow count=%d peak RSS=%d MiB peak heap=%d MiB"
            + " counts held=%d KiB stated bound=%d MiB heap=%d MiB JVM=%d MiB scrapes=%d"
            + " slowest=%d ms lost=%d doubled=%d%n",
        way,
        LABEL_SETS,
        series,
        overflow,
        peakRss >> 20,
        scrapes.peakHeapBytes() >> 20,
        memory.getLong("countsBytes") >> 10,
        bound >> 20,
        heap >> 20,
        StatedHeap.JVM_BYTES >> 20,
        scrapes.scrapes(),
        scrapes.slowestMillis(),
        Math.max(0, sentValues - counted),
        Math.max(0, counted - sentValues));

    assertThat(counted).isEqualTo(sentValues);
    assertThat(series).isEqualTo(MAX_SERIES + 1);
    assertThat(overflow).isPositive();
    assertThat(memory.getLong("countsBytes")).isLessThanOrEqualTo(bound);
    assertThat(bound).isLessThanOrEqualTo(heap);
    assertThat(peakRss).isLessThanOrEqualTo(heap + StatedHeap.JVM_BYTES);
    assertThat(scrapes.scrapes()).isPositive();
    assertThat(scrapes.slowestMillis()).isLessThanOrEqualTo(PATIENCE.toMillis());
    assertThat(sidecar.output()).doesNotContain("OutOfMemoryError").doesNotContain("level=ERROR");
  }
}
