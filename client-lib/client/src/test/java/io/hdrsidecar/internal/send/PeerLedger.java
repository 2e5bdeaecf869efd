package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a test's peer has merged, and every breach of the protocol it saw. */
final class PeerLedger {
  private final HistogramDecoder histograms = new HistogramDecoder(1 << 24);
  private final DecodedHistogram decoded = new DecodedHistogram();
  private final Map<String, Accumulation> merged = new TreeMap<>();
  private final List<String> breaches = new ArrayList<>();
  private long longestMillis;

  void merge(SeriesDefinition definition, IntervalFrame interval, byte[] frame)
      throws MalformedFrameException {
    histograms.decode(frame, interval.payloadOffset(), interval.payloadLength(), decoded);
    checkSumMinMax(definition, interval);
    longestMillis = Math.max(longestMillis, interval.endMillis() - interval.startMillis());
    Accumulation ofSeries =
        merged.computeIfAbsent(
            definition.key().toString(), absent -> new Accumulation(definition.layout()));
    ofSeries.add(decoded.counts(), interval.sumMinMax());
    ofSeries.offer(interval.exemplar());
  }

  /** All that a sidecar could hold against an interval whose checksums are right. */
  private void checkSumMinMax(SeriesDefinition definition, IntervalFrame interval) {
    BucketLayout layout = decoded.layout();
    SparseCounts counts = decoded.counts();
    check(layout.equals(definition.layout()), "layout", interval);
    check(counts.total() == interval.count() && interval.count() > 0, "count", interval);
    check(interval.endMillis() >= interval.startMillis(), "time", interval);
    check(layout.indexOf(interval.sumMinMax().min()) == counts.indexAt(0), "minimum", interval);
    int last = counts.indexAt(counts.size() - 1);
    check(layout.indexOf(interval.sumMinMax().max()) == last, "maximum", interval);
  }

  private void check(boolean holds, String what, IntervalFrame interval) {
    if (!holds) {
      breach(what + " of interval " + interval.sequence() + " does not agree");
    }
  }

  void breach(String what) {
    breaches.add(what);
  }

  List<String> breaches() {
    return List.copyOf(breaches);
  }

  @Nullable Accumulation merged(String key) {
    return merged.get(key);
  }

  List<String> mergedKeys() {
    return List.copyOf(merged.keySet());
  }

  long mergedValues() {
    return merged.values().stream().mapToLong(Accumulation::count).sum();
  }

  long longestMillis() {
    return longestMillis;
  }
}
