package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawClient;
import io.hdrsidecar.tests.support.ScrapeLoop;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.StatedHeap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sidecar in a heap of its stated bound is filled to the last counter, and lives. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class MemoryBoundIT {
  private static final int MAX_SERIES = 60;
  private static final int MAX_LABELS = 256;
  private static final int ROUNDS = 12; // one for each step of the window
  private static final BucketLayout LAYOUT = BucketLayout.of(1000, 2);
  private static final long HIGHEST = (1L << 42) - 1;

  /** Long to write down, and 12 rounds of twice 4096 counters are still countable. */
  private static final long COUNT = 1L << 43;

  private static final Pattern COUNTED = Pattern.compile("\nfill\\d+_seconds_count\\S* (\\S+)");
  private static final Pattern LOST =
      Pattern.compile("\nhdr_sidecar_lost_values_total\\{reason=\"memory_limit\"\\} (\\S+)");

  private static final Pattern MEMORY_PRESSURE = Pattern.compile("event=memory_pressure");

  private static final List<String> OPTIONS =
      List.of(
          "--series-max=" + MAX_SERIES,
          "--series-max-layouts=1",
          "--series-max-counters=3500",
          "--series-max-label-length=" + MAX_LABELS,
          "--windows=10s",
          "--ingest-max-connections=2",
          "--ingest-max-body=64KiB",
          "--ingest-max-series-per-connection=1024",
          "--ingest-max-series-ids=1",
          "--ingest-max-instances=10",
          "--http-max-connections=4",
          "--http-max-body=64KiB",
          "--self-hiccups=off");

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void serve_heapOfTheStatedBound_holdsEveryCounterOfEverySeriesAndStep() throws Exception {
    SidecarProcess sidecar = start("1GiB");
    Accumulation every = everyCounter(COUNT);
    try (RawClient client = new RawClient(sidecar.ingestAddress());
        ScrapeLoop scrapes = new ScrapeLoop(sidecar, Duration.ofSeconds(30))) {
      for (int id = 1; id <= 2 * MAX_SERIES; id++) {
        client.declare(id, definition(id));
      }
      long start = System.nanoTime();
      for (int round = 0; round < ROUNDS; round++) {
        awaitNanos(start + TimeUnit.SECONDS.toNanos(round));
        for (int id = 1; id <= 2 * MAX_SERIES; id++) {
          client.send(id, every, HIGHEST);
          client.send(id, every, HIGHEST); // waits behind the first in its step
        }
        client.awaitSettled();
      }
      report(sidecar, scrapes.end(), every.count() * ROUNDS * 2);
    }
  }

  private SidecarProcess start(String maxMemory) throws Exception {
    List<String> options = new ArrayList<>(OPTIONS);
    options.add("--series-max-memory=" + maxMemory);
    return StatedHeap.start(processes, options);
  }

  /** Three of the sixty MiB that windows would take: they go, and then half of the counts. */
  @Test
  void serve_moreThanSeriesMayHold_givesUpWindowsRefusesTheRestAndTellsWhatIsLost()
      throws Exception {
    SidecarProcess sidecar = start("3MiB");
    Accumulation every = everyCounter(1L << 32); // as wide as counters can be, at once
    long sent = 0;
    try (RawClient client = new RawClient(sidecar.ingestAddress());
        ScrapeLoop scrapes = new ScrapeLoop(sidecar, Duration.ofSeconds(30))) {
      client.expect(RejectReason.MEMORY_LIMIT);
      for (int id = 1; id <= 2 * MAX_SERIES; id++) {
        client.declare(id, definition(id));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int id = 1; id <= 2 * MAX_SERIES; id++) {
          client.send(id, every, HIGHEST);
          sent += every.count();
        }
      }
      client.awaitSettled();
      ScrapeLoop.Result scraped = scrapes.end();

      String metrics = sidecar.metrics();
      long counted = sum(metrics, COUNTED);
      long lost = sum(metrics, LOST);
      JsonObject memory = sidecar.status().getJsonObject("memory");
      long bound = memory.getLong("boundBytes");
      System.out.printf(
          "memory budget: sent=%d counted=%d lost=%d refused intervals=%d held=%d KiB limit=%d KiB"
              + " stated bound=%d KiB peak heap=%d KiB%n",
          sent,
          counted,
          lost,
          client.refused(),
          memory.getLong("seriesHeldBytes") >> 10,
          memory.getLong("seriesLimitBytes") >> 10,
          bound >> 10,
          scraped.peakHeapBytes() >> 10);
      assertThat(lost).isPositive().isEqualTo(client.refused() * every.count());
      assertThat(counted).isPositive().isEqualTo(sent - lost);
      // Whoever got counters at first kept counting.
      assertThat(counted % (every.count() * ROUNDS)).isZero();
      assertThat(memory.getLong("windowBytes")).isZero();
      assertThat(memory.getLong("seriesHeldBytes")).isLessThanOrEqualTo(3L << 20);
      assertThat(item(memory, "series_memory")).isLessThan(4L << 20);
      assertThat(bound).isLessThanOrEqualTo(memory.getLong("heapMaxBytes"));
      assertThat(sidecar.status().getString("trouble")).contains("memory_limit");
      assertThat(metrics).contains("hdr_sidecar_memory_pressure{stage=\"counts\"} 1.0");
      sidecar.awaitLine(MEMORY_PRESSURE); // said with the next look at the clock, within a second
      assertThat(sidecar.output())
          .doesNotContain("event=memory_bound_above_heap")
          .doesNotContain("OutOfMemoryError")
          .doesNotContain("level=ERROR");
    }
  }

  private static long sum(String metrics, Pattern lines) {
    long sum = 0;
    for (Matcher line = lines.matcher(metrics); line.find(); ) {
      sum += (long) Double.parseDouble(line.group(1));
    }
    return sum;
  }

  /** The steps of the window are seconds of the sidecar's clock. */
  private static void awaitNanos(long when) {
    for (long left = when - System.nanoTime(); left > 0; left = when - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static Accumulation everyCounter(long count) {
    Accumulation every = new Accumulation(LAYOUT);
    for (int i = 0; i <= LAYOUT.indexOf(HIGHEST); i++) {
      every.counts().add(i, count);
    }
    every.sum().add(1);
    every.widen(0, HIGHEST);
    return every;
  }

  /** Names of their own, so that those beyond the limit have overflow series of their own. */
  private static SeriesDefinition definition(int id) {
    return new SeriesDefinition(
        new SeriesKey("fill" + id, Labels.of("label", "\u732b".repeat(MAX_LABELS - 5))),
        Unit.NANOSECONDS,
        "",
        LAYOUT,
        HIGHEST);
  }

  private static void report(SidecarProcess sidecar, ScrapeLoop.Result scrapes, long countOfEach)
      throws Exception {
    JsonObject memory = sidecar.status().getJsonObject("memory");
    long bound = memory.getLong("boundBytes");
    long heap = memory.getLong("heapMaxBytes");
    long held = memory.getLong("countsBytes");
    long rss = sidecar.memoryBytes("VmHWM");
    System.out.printf(
        "memory bound: series=%d held counts=%d KiB stated bound=%d KiB peak heap=%d KiB"
            + " heap=%d KiB peak RSS=%d KiB%n",
        2 * MAX_SERIES,
        held >> 10,
        bound >> 10,
        scrapes.peakHeapBytes() >> 10,
        heap >> 10,
        rss >> 10);

    for (int id = 1; id <= 2 * MAX_SERIES; id++) {
      String labels = id <= MAX_SERIES ? "" : "{overflow=\"true\"}";
      assertThat(sidecar.total("fill" + id + labels, "").getLong("count")).isEqualTo(countOfEach);
    }
    long countsBound = item(memory, "counts") + item(memory, "windows");
    assertThat(held).isLessThanOrEqualTo(countsBound).isGreaterThan(countsBound / 2);
    assertThat(bound).isLessThanOrEqualTo(heap);
    assertThat(rss).isLessThanOrEqualTo(heap + StatedHeap.JVM_BYTES);
    assertThat(sidecar.output()).doesNotContain("OutOfMemoryError").doesNotContain("level=ERROR");
  }

  private static long item(JsonObject memory, String name) {
    JsonArray items = memory.getJsonArray("items");
    for (int i = 0; i < items.size(); i++) {
      if (items.getJsonObject(i).getString("name").equals(name)) {
        return items.getJsonObject(i).getLong("maxBytes");
      }
    }
    throw new AssertionError("no item " + name);
  }
}
