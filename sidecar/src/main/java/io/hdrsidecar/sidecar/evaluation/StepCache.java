package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.sidecar.history.LateIntervals;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What queries gave at times that are past, so that a panel that refreshes costs its new steps
 * only. What is past does not change, but for what arrives late: then all steps from there on are
 * forgotten. In a bounded number of bytes, the query that was asked for longest ago goes first. Any
 * thread.
 */
public final class StepCache implements AutoCloseable {
  private static final long QUERY_BYTES = 512;

  /** Of one query. */
  private static final class Cached {
    private final TreeMap<Long, PastResult> steps = new TreeMap<>();
    private final Map<MetricLabels, MetricLabels> labels = new HashMap<>();
    private long bytes = QUERY_BYTES;
  }

  private record QueryKey(String query, ExposedEdges edges) {}

  private final HeapShare share;
  private final LateIntervals.Watch late;
  private final LinkedHashMap<QueryKey, Cached> queries = new LinkedHashMap<>(16, 0.75f, true);
  private long held;
  private long settledTo = Long.MIN_VALUE;
  private boolean closed;

  /**
   * Nothing yet.
   *
   * @param share of which it takes what it holds
   */
  public StepCache(HeapShare share, SeriesStore store) {
    this.share = share;
    this.late = store.past().late().watch(Long.MIN_VALUE);
  }

  /** Forgets what has changed since, or, as the clock was set back, has not happened yet. */
  synchronized void refresh(long nowMillis) {
    settledTo = nowMillis - LateIntervals.SETTLED_MILLIS;
    late.settle(settledTo);
    long from = Math.min(late.takeChangedFrom(), settledTo + 1);
    for (Cached each : queries.values()) {
      Map<Long, PastResult> changed = each.steps.tailMap(from);
      for (PastResult step : changed.values()) {
        release(each, step.cost());
      }
      changed.clear();
    }
  }

  private void release(Cached from, long bytes) {
    from.bytes -= bytes;
    giveBack(bytes);
  }

  private void giveBack(long bytes) {
    held -= bytes;
    share.release(bytes);
  }

  /** What the query gave then, if it is known. */
  synchronized @Nullable PastResult get(String query, ExposedEdges edges, long timeMillis) {
    Cached cached = queries.get(new QueryKey(query, edges));
    return cached == null ? null : cached.steps.get(timeMillis);
  }

  /**
   * Remembers what it gave, if there is room.
   *
   * @param since watches since before it was read: what has changed meanwhile is not remembered
   */
  synchronized void put(
      String query,
      ExposedEdges edges,
      long timeMillis,
      PastResult step,
      LateIntervals.Watch since) {
    if (closed || timeMillis > settledTo || timeMillis >= since.changedFrom()) {
      return;
    }
    QueryKey key = new QueryKey(query, edges);
    Cached cached = queries.get(key);
    if (cached == null) {
      if (!take(QUERY_BYTES + 2L * query.length(), key)) {
        return;
      }
      cached = new Cached();
      cached.bytes = QUERY_BYTES + 2L * query.length();
      queries.put(key, cached);
    }
    Cached into = cached;
    long bytes = step.cost() + newLabels(into, step);
    if (into.steps.containsKey(timeMillis) || !take(bytes, key)) {
      return;
    }
    into.bytes += bytes;
    step.samples().forEach(each -> into.labels.putIfAbsent(each.labels(), each.labels()));
    into.steps.put(timeMillis, shared(step, into));
  }

  private static long newLabels(Cached cached, PastResult step) {
    return step.samples().stream()
        .filter(each -> !cached.labels.containsKey(each.labels()))
        .mapToLong(each -> each.labels().cost())
        .sum();
  }

  /** The same with labels that other steps have, too. */
  private static PastResult shared(PastResult step, Cached with) {
    return new PastResult(
        step.samples().stream()
            .map(
                each ->
                    new Sample(
                        with.labels.getOrDefault(each.labels(), each.labels()),
                        each.value(),
                        each.histogram()))
            .toList(),
        step.coverage(),
        step.bounds());
  }

  /** Takes bytes, if need be of other queries. */
  private boolean take(long bytes, QueryKey forQuery) {
    Cached own = queries.get(forQuery);
    if (bytes > share.freeBytes() + held - (own == null ? 0 : own.bytes)) {
      return false; // Whatever is forgotten, it would not do.
    }
    while (!share.tryTakeUncounted(bytes)) {
      Iterator<Map.Entry<QueryKey, Cached>> oldest = queries.entrySet().iterator();
      if (!oldest.hasNext()) {
        return false;
      }
      Map.Entry<QueryKey, Cached> first = oldest.next();
      if (first.getKey().equals(forQuery)) {
        return false; // Only itself is left.
      }
      giveBack(first.getValue().bytes);
      oldest.remove();
    }
    held += bytes;
    return true;
  }

  /**
   * Gives everything back.
   *
   * @return whether that was anything
   */
  public synchronized boolean clear() {
    boolean anything = !queries.isEmpty();
    giveBack(held);
    queries.clear();
    return anything;
  }

  /** No longer looks at what arrives. */
  @Override
  public synchronized void close() {
    closed = true;
    late.close();
    clear();
  }
}
