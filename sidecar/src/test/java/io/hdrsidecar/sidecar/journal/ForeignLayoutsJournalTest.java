package io.hdrsidecar.sidecar.journal;

import static io.hdrsidecar.sidecar.journal.JournaledStore.config;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.base2;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.explicit;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumMinMax;
import static io.hdrsidecar.sidecar.support.OtlpBuckets.sumOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.reading.Distribution;
import io.hdrsidecar.sidecar.support.OtlpBuckets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Counts that HdrHistogram's encoding cannot hold, over a restart. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForeignLayoutsJournalTest {
  private static final long[] BOUNDS = {0, 1_000_000, 5_000_000};

  /** Before the legend there is a reader with room for so many. */
  private static final int MOST_BYTES_OF_A_COMMENT = 127;

  @TempDir Path folder = Path.of("set by JUnit");

  private Path journal() {
    return folder.resolve("journal");
  }

  private static void merge(
      JournaledStore into, String name, DecodedHistogram histogram, SumMinMax sumMinMax) {
    into.onMergeThread(() -> OtlpBuckets.merge(into.store(), name, histogram, sumMinMax));
  }

  private static void mergeAllKinds(JournaledStore into, long seed) {
    long[] values = new SplittableRandom(seed).longs(300, 1000, 10_000_000_000L).sorted().toArray();
    merge(into, "otlp", base2(3, values), sumMinMax(values));
    merge(into, "otlp", base2(8, values), sumOnly(values));
    merge(into, "otlp", explicit(BOUNDS, values), sumOnly(values));
    into.merge("checkout", seed, 5, 77_777_777);
  }

  private List<Path> files(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(journal())) {
      return files.filter(f -> f.getFileName().toString().startsWith(prefix)).sorted().toList();
    }
  }

  @Test
  void open_afterRecordsAndCheckpoints_hasEqualTotals() throws IOException {
    Map<String, String> totals = Map.of();
    for (int run = 1; run <= 3; run++) { // Each start writes a checkpoint of what it replayed.
      try (JournaledStore store = new JournaledStore(config(journal()))) {
        assertThat(store.totals()).isEqualTo(totals);
        assertThat(store.recovery().damaged()).isZero();
        mergeAllKinds(store, run);
        store.awaitDurable();
        totals = store.totals();
      }
    }
    assertThat(totals).hasSize(2);
  }

  @Test
  void past_ofTheJournal_hasTheSameCounts() throws IOException {
    try (JournaledStore store = JournaledStore.readable(config(journal()))) {
      mergeAllKinds(store, 1);
      store.awaitDurable();
    }
    try (JournaledStore store = JournaledStore.readable(config(journal()))) {
      store.eventually(() -> !past(store).isEmpty());

      assertThat(past(store)).isEqualTo(store.totals().keySet().stream().sorted().toList());
      Distribution read = new Distribution();
      try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
        IntervalSum sum = new IntervalSum();
        for (PastSeries series : reading.series()) {
          for (PastInterval each : reading.intervals(series, Map.of(), 1000)) {
            each.addTo(sum);
          }
        }
        sum.counts().addTo(read);
        assertThat(reading.warnings()).isEmpty();
      }
      assertThat(read.count()).isEqualTo(3 * 300 + 2);
      assertThat(read.hasForeignBuckets()).isTrue();
    }
  }

  private static List<String> past(JournaledStore store) {
    try (PastReading reading = store.store().past().source().open(0, Long.MAX_VALUE)) {
      return reading.series().stream().map(each -> each.key().toString()).sorted().toList();
    }
  }

  @Test
  void files_toOtherReaders_haveTheIntervalsOfHdrHistogramAndComments() throws IOException {
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      mergeAllKinds(store, 1);
      store.awaitDurable();
    }
    Path file = files("intervals").get(0);
    List<String> tags = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        if (next != null) {
          tags.add(next.getTag());
        }
      }
    }
    assertThat(tags).singleElement().asString().startsWith("checkout{");
    List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    assertThat(lines).filteredOn(line -> line.startsWith("#B ")).hasSizeGreaterThan(10);
    assertThat(lines)
        .filteredOn(line -> line.startsWith("#"))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(MOST_BYTES_OF_A_COMMENT));
  }

  @Test
  void open_withDamageInAPart_losesThatRecordAlone() throws IOException {
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      mergeAllKinds(store, 1);
      store.awaitDurable();
    }
    Path file = files("intervals").get(0);
    for (Path checkpoint : files("checkpoint")) {
      Files.delete(checkpoint);
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int at = text.indexOf("#B ", text.indexOf("#B ") + 3) + 20; // the second part of the first
    String damaged = text.substring(0, at) + '!' + text.substring(at + 1);
    Files.writeString(file, damaged, StandardCharsets.ISO_8859_1);

    try (JournaledStore store = new JournaledStore(config(journal()))) {
      assertThat(store.recovery().damaged()).isEqualTo(1);
      assertThat(store.recovery().records()).isEqualTo(3);
    }
  }

  @Test
  void open_tornInAPart_isWithoutThatRecord() throws IOException {
    try (JournaledStore store = new JournaledStore(config(journal()))) {
      merge(store, "otlp", base2(3, 5_000_000), sumMinMax(5_000_000));
      merge(store, "otlp", base2(3, 1_000, 2_000, 9_000_000), sumMinMax(1_000, 2_000, 9_000_000));
      store.awaitDurable();
    }
    for (Path checkpoint : files("checkpoint")) {
      Files.delete(checkpoint);
    }
    Path file = files("intervals").get(0);
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    String torn = text.substring(0, text.lastIndexOf("#B ") + 10);
    Files.writeString(file, torn, StandardCharsets.ISO_8859_1);

    try (JournaledStore store = new JournaledStore(config(journal()))) {
      assertThat(store.recovery().tornBytes()).isPositive();
      assertThat(store.recovery().records()).isEqualTo(1);
      assertThat(store.totals().values()).singleElement().asString().contains("sum=5000000 ");
    }
  }
}
