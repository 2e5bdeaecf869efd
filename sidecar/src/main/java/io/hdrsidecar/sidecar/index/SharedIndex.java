package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.RecordRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The index of the file that is being written. The writer adds what is flushed, many lines at a
 * time; queries copy the list of a series. Any thread, under a lock that is held for as long as
 * that takes.
 */
public final class SharedIndex {
  private final IndexInMemory index = new IndexInMemory();

  /** By hash; texts are decoded once, when they are new. */
  private final Map<Long, List<Defined>> byHash = new HashMap<>();

  private int defined;

  private record Defined(SeriesText definition, IndexedSeries series) {}

  /** Lets the writer add lines, which readers see all at once. */
  public synchronized void add(Consumer<IndexInMemory> lines) {
    lines.accept(index);
    if (index.seriesCount() > defined) {
      index.series().stream().skip(defined).forEach(this::define);
      defined = index.seriesCount();
    }
  }

  private void define(IndexedSeries series) {
    SeriesText text = SeriesText.decode(series.text());
    long hash = SeriesHash.of(text.definition().key(), text.definition().unit());
    byHash.computeIfAbsent(hash, none -> new ArrayList<>(1)).add(new Defined(text, series));
  }

  synchronized HistoryExtent extent() {
    return index.extent();
  }

  synchronized RecordRanges records() {
    RecordRanges copy = new RecordRanges();
    copy.addAll(index.records());
    return copy;
  }

  synchronized List<IndexFile.Found> find(long hash) {
    List<IndexFile.Found> found = new ArrayList<>();
    for (Defined each : byHash.getOrDefault(hash, List.of())) {
      found.add(
          new IndexFile.Found(each.definition(), new LineList(each.series().lines().written())));
    }
    return found;
  }

  synchronized void addTo(PastCatalog catalog, long file) {
    byHash.forEach(
        (hash, all) ->
            all.forEach(
                each ->
                    catalog.add(
                        hash,
                        each.definition(),
                        new HistoryExtent(
                            each.series().lines().fromMillis(), each.series().lines().toMillis()),
                        file)));
  }

  /** When nothing is added any more. */
  public IndexInMemory complete() {
    return index;
  }
}
