package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastSource;
import io.hdrsidecar.sidecar.merge.MemoryExtent;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.StringJoiner;

/** The past as {@code /api/v1/status} tells it: where it comes from, and from when to when. */
final class HistoryStatus {
  private HistoryStatus() {}

  /** Any thread; O(series). */
  static JsonObject of(SeriesStore store) {
    PastSource past = store.past().source();
    HistoryExtent extent = past.extent().and(MemoryExtent.of(store));
    return new JsonObject()
        .put("source", source(store, past))
        .put("start", extent.isEmpty() ? null : text(extent.fromMillis()))
        .put("end", extent.isEmpty() ? null : text(extent.toMillis()))
        .put("live", past.isLive())
        .put("filesWithoutIndex", past.filesWithoutIndex());
  }

  private static String source(SeriesStore store, PastSource past) {
    if (!past.isLive()) {
      return past.name(); // Memory holds some of it, which is nobody's concern.
    }
    StringJoiner sources = new StringJoiner("+");
    sources.setEmptyValue("none");
    if (store.past().isInMemory()) {
      sources.add("memory");
    }
    if (!past.name().isEmpty()) {
      sources.add(past.name());
    }
    return sources.toString();
  }

  private static String text(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
