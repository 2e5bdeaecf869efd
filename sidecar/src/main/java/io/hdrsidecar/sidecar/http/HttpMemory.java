package io.hdrsidecar.sidecar.http;

import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.MergeConfig;
import java.util.List;
import java.util.stream.Stream;

/** What those who ask may make the HTTP server hold. */
public final class HttpMemory {
  private static final long CONNECTION_BYTES = 128 << 10;

  /** A full write queue, and steps being sent as characters and as bytes. */
  private static final long STREAM_BYTES = 512 << 10;

  /** Name, numbers and punctuation of a line besides its labels. */
  private static final long LINE_BYTES = 320;

  /**
   * The labels of an overflow series, at most: {@code corrected}, {@code kind}, {@code overflow}.
   */
  private static final long OVERFLOW_LABELS_BYTES = 64;

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
  public static List<MemoryItem> items(HttpConfig config, ExposeConfig expose, MergeConfig merge) {
    long lines = linesOfASeries(expose, merge);
    long page =
        plus(
            times(merge.maxSeries(), lines, LINE_BYTES + UTF8_BYTES * merge.maxLabelLength()),
            times(merge.maxSeries(), lines, LINE_BYTES + OVERFLOW_LABELS_BYTES));
    return List.of(
        new MemoryItem(
            "http_connections",
            times(
                config.limits().maxConnections(),
                CONNECTION_BYTES + 2L * config.limits().maxHeaderBytes()),
            "http.max-connections * (128 KiB + 2 * http.max-header)"),
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
            times(page, MetricsRoute.MAX_PAGES + 2L),
            MetricsRoute.MAX_PAGES
                + " pages being sent and one being written, of all lines with all labels"),
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

  private static long linesOfASeries(ExposeConfig expose, MergeConfig merge) {
    int edges =
        Stream.of(expose.secondsEdges(), expose.bytesEdges(), expose.plainEdges())
            .mapToInt(List::size)
            .max()
            .orElse(0);
    long histogram = Math.max(edges, expose.nativeMaxBuckets() / 8) + 4L;
    return histogram + (long) merge.windows().size() * expose.quantiles().size();
  }
}
