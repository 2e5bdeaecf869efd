package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.SeriesTotals;
import io.hdrsidecar.sidecar.metric.MetricValues;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.plain.PlainSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * An intake above a store; the thread of the test is the one that counts and the one that merges.
 */
final class CountingIntake {
  final SeriesStore store;
  final StatsdCounters counters = new StatsdCounters();
  final HeapShare share;
  final StatsdIntake intake;
  final PlainFamilies families;
  final PlainSource plain;
  long millis = 1_700_000_000_000L;

  CountingIntake() {
    this(StatsdMapping.NONE, MergeConfig.defaults(), 64L << 20);
  }

  CountingIntake(String mapping) throws MappingFileException {
    this(MappingFile.parse(mapping, "test"), MergeConfig.defaults(), 64L << 20);
  }

  /** With a share of the heap of so many bytes. */
  CountingIntake(StatsdMapping mapping, MergeConfig limits, long shareBytes) {
    this(mapping, limits, shareBytes, 0);
  }

  /** With so many counters and gauges, which end after a minute. */
  CountingIntake(StatsdMapping mapping, MergeConfig limits, long shareBytes, int mostPlain) {
    store = new SeriesStore(limits);
    share = HeapBudget.of(8L << 30).share(HeapBudget.Use.SCRAPES).atMost(shareBytes);
    HeapClaim claim = share.claim();
    families = new PlainFamilies(Duration.ofMinutes(1), store);
    plain = families.source("StatsD", mostPlain, claim);
    intake =
        new StatsdIntake(
            mapping,
            claim,
            mostPlain == 0 ? null : plain,
            new HandOver(store, Runnable::run, Runnable::run, counters),
            counters,
            new StatsdLog(System::nanoTime),
            () -> Instant.ofEpochMilli(millis));
  }

  /** Takes a datagram, and hands over what it has. */
  CountingIntake take(String datagram) {
    byte[] bytes = datagram.getBytes(StandardCharsets.UTF_8);
    intake.take(bytes, bytes.length, StatsdSocket.UDP, "127.0.0.1:4711");
    intake.tick();
    return this;
  }

  /** Names by the rules of another mapping file from now on. */
  void use(String mapping) throws MappingFileException {
    intake.use(MappingFile.parse(mapping, "test"));
  }

  /** What a series has counted. */
  SeriesTotals total(String name, String... labels) {
    Series series =
        store
            .find(new SeriesKey(name, Labels.of(labels)))
            .orElseThrow(() -> new AssertionError("no such series, but " + keys()));
    SeriesTotals totals = new SeriesTotals();
    series.readTotals(totals);
    return totals;
  }

  long count(String name, String... labels) {
    return total(name, labels).parts().stream().mapToLong(part -> part.counts().total()).sum();
  }

  String sum(String name, String... labels) {
    return total(name, labels).parts().get(0).sumMinMax().sum().toString();
  }

  /** A metric as it is now; the label is empty if the name says all. */
  double metric(String name, String label) {
    return MetricValues.value(counters.metrics(() -> 0, () -> 0), name, label);
  }

  String keys() {
    return store.livingSeries().stream().map(s -> s.key().toString()).sorted().toList().toString();
  }
}
