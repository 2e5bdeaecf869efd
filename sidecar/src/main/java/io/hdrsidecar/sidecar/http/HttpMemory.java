package io.hdrsidecar.sidecar.http;

import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.MergeConfig;
import java.util.List;

/** What those who ask may make the HTTP server hold. */
public final class HttpMemory {
  private static final long CONNECTION_BYTES = 128 << 10;

  /** A full write queue, and steps being sent as characters and as bytes. */
  private static final long STREAM_BYTES = 512 << 10;

  /** Three formats, each with four ways to escape names. */
  private static final int FORMATS = 12;

  /** Object, place in the table, and what stands around 32 labels. */
  private static final long ENCODED_LABELS_BYTES = 400;

  /** A series and its labels on the page being written. */
  private static final long VIEW_BYTES = 32;

  /** Characters take up to 3 bytes in UTF-8; the page being written doubles. */
  private static final long UTF8_BYTES = 3;

  private HttpMemory() {}

  /** Items for these limits. */
  public static List<MemoryItem> items(HttpConfig config, MergeConfig merge) {
    return List.of(
        new MemoryItem(
            "http_connections",
            times(
                config.limits().maxConnections() + ConnectionWatch.RESERVED,
                CONNECTION_BYTES + 2L * config.limits().maxHeaderBytes()),
            "(http.max-connections + "
                + ConnectionWatch.RESERVED
                + ") * (128 KiB + 2 * http.max-header)"),
        new MemoryItem(
            "live_streams",
            times(config.limits().maxStreams(), STREAM_BYTES),
            "http.max-streams * 512 KiB"),
        new MemoryItem(
            "uploads",
            Math.min(
                HeapBudget.shareBytes(Use.UPLOADS, Runtime.getRuntime().maxMemory()),
                times(IntervalsRoute.LONGEST_BODIES, RequestBody.costOf(config.maxBodyBytes()))),
            "a share of the heap, or the 4 longest bodies of http.max-body"),
        new MemoryItem(
            "scrape_pages",
            Math.min(
                HeapBudget.shareBytes(Use.SCRAPES, Runtime.getRuntime().maxMemory()),
                times(config.limits().maxConnections(), ScrapePages.PAGE_BYTES)),
            "pieces of pages being sent: a share of the heap, and 320 KiB a connection at most"),
        new MemoryItem(
            "scrape_labels",
            times(
                2,
                merge.maxSeries(),
                plus(
                    VIEW_BYTES,
                    times(FORMATS, ENCODED_LABELS_BYTES + UTF8_BYTES * merge.maxLabelLength()))),
            "labels as each format writes them, kept for the next scrape"));
  }
}
