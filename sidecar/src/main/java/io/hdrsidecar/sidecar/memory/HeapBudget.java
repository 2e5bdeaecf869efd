package io.hdrsidecar.sidecar.memory;

import io.hdrsidecar.sidecar.metric.Metric;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The heap, divided among what may hold it, in bytes.
 *
 * <p>An idle sidecar keeps {@link #IDLE_BYTES}; of the rest each use has its share. What a use
 * holds is taken from its share before it is allocated, so one that others drive to its limit waits
 * or refuses, and leaves the rest untouched. A share cannot borrow from another: what is lent
 * cannot be had back from those who read slowly.
 *
 * <p>Series and history bound themselves, by what they give up first, and what merging an interval
 * takes follows from how many counters it may have; the defaults of these limits are percentages,
 * too. All together are {@value #ALL_PERCENT} %, so a heap of any size has room for all of it. Any
 * thread.
 */
public final class HeapBudget {
  /** What lives on the heap of a sidecar that has nothing to do: 8 MiB measured, and half more. */
  public static final long IDLE_BYTES = 12L << 20;

  /** The default of {@code series.max-memory}. */
  public static final int SERIES_PERCENT = 35;

  /** The default of {@code history.max-memory}. */
  public static final int HISTORY_PERCENT = 5;

  /** What the default of {@code series.max-counters} makes of merging. */
  public static final int MERGING_PERCENT = 14;

  /** With the shares of all uses. */
  static final int ALL_PERCENT = SERIES_PERCENT + HISTORY_PERCENT + MERGING_PERCENT + 45;

  /** Share of StatsD where it is on: taken from {@link Use#INGEST}, as both are what is sent. */
  static final int STATSD_PERCENT = 5;

  /** Share of OTLP where it is on: taken from {@link Use#INGEST} and {@link Use#UPLOADS}. */
  static final int OTLP_PERCENT = 8;

  /** Share of the export where it is on: taken from {@link Use#SCRAPES} and {@link Use#QUERIES}. */
  static final int EXPORT_PERCENT = 4;

  /** Where the uses' shares end on a heap so small that hardly anything is left. */
  private static final long LEAST_BYTES = 4L << 20;

  /** What may hold memory, and its share of the heap beyond {@link #IDLE_BYTES}. */
  public enum Use {
    /** Connections of clients, frames that are not whole yet, and what is decoded from them. */
    INGEST(12),
    /** Connections of HTTP and the headers of their requests. */
    HTTP(5),
    /** Pages for Prometheus, being written or sent. */
    SCRAPES(7),
    /** Answers to queries, live streams, and what is read for them. */
    QUERIES(6),
    /** Bodies of uploads and what is decoded from them. */
    UPLOADS(6),
    /** What waits to be written to the journal. */
    JOURNAL(5),
    /** What was merged and is to be handed on to the next sidecar. */
    UPSTREAM(4),
    /** Values that came by StatsD; nothing unless it is on, {@link #STATSD_PERCENT} then. */
    STATSD(0),
    /** Metrics that come by OTLP; nothing unless it is on, {@link #OTLP_PERCENT} then. */
    OTLP(0),
    /** What is pushed by OTLP; nothing unless it is on, {@link #EXPORT_PERCENT} then. */
    EXPORT(0);

    private final int percent;

    Use(int percent) {
      this.percent = percent;
    }

    /** As metrics and the stated bound call it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Percent of the heap beyond {@link #IDLE_BYTES}. */
    public int percent() {
      return percent;
    }
  }

  private final long heapBytes;
  private final Map<Use, HeapShare> shares = new EnumMap<>(Use.class);

  private HeapBudget(long heapBytes, ToIntFunction<Use> percents) {
    this.heapBytes = heapBytes;
    for (Use use : Use.values()) {
      shares.put(use, new HeapShare(use, percentOf(percents.applyAsInt(use), heapBytes)));
    }
  }

  /**
   * Divides a heap.
   *
   * @param heapBytes the largest size it may have, 1 or more
   */
  public static HeapBudget of(long heapBytes) {
    return divide(heapBytes, Use::percent);
  }

  /**
   * Divides a heap in another way, for a program that does something else.
   *
   * @param percents of the heap beyond {@link #IDLE_BYTES}; others may hold nothing
   */
  public static HeapBudget of(long heapBytes, Map<Use, Integer> percents) {
    return divide(heapBytes, use -> percents.getOrDefault(use, 0));
  }

  private static HeapBudget divide(long heapBytes, ToIntFunction<Use> percents) {
    if (heapBytes < 1) {
      throw new IllegalArgumentException("heapBytes must be at least 1: " + heapBytes);
    }
    return new HeapBudget(heapBytes, percents);
  }

  /** Divides the heap of this process. */
  public static HeapBudget ofThisProcess() {
    return of(Runtime.getRuntime().maxMemory());
  }

  /**
   * The same for a sidecar with ways in and out that are off by default, and that have shares of
   * their own where they are on.
   *
   * @param withStatsd whether it takes StatsD
   * @param withOtlp whether it takes OTLP
   * @param withExport whether it pushes its series
   */
  public static HeapBudget ofThisProcess(boolean withStatsd, boolean withOtlp, boolean withExport) {
    return with(withStatsd, withOtlp, withExport, Runtime.getRuntime().maxMemory());
  }

  static HeapBudget with(boolean withStatsd, boolean withOtlp, boolean withExport, long heapBytes) {
    int statsd = withStatsd ? STATSD_PERCENT : 0;
    int otlp = withOtlp ? OTLP_PERCENT : 0;
    int export = withExport ? EXPORT_PERCENT : 0;
    return divide(
        heapBytes,
        use ->
            switch (use) {
              case INGEST -> use.percent - statsd - otlp / 2;
              case UPLOADS -> use.percent - otlp / 2;
              case SCRAPES, QUERIES -> use.percent - export / 2;
              case STATSD -> statsd;
              case OTLP -> otlp;
              case EXPORT -> export;
              default -> use.percent;
            });
  }

  /** The share of one use of a heap of this size, in bytes. */
  public static long shareBytes(Use use, long heapBytes) {
    return percentOf(use.percent, heapBytes);
  }

  /** So many percent of a heap of this size, beyond {@link #IDLE_BYTES}. */
  public static long percentOf(int percent, long heapBytes) {
    return Math.max(LEAST_BYTES, heapBytes - IDLE_BYTES) / 100 * percent;
  }

  /** What this use may hold, and holds. */
  public HeapShare share(Use use) {
    HeapShare share = shares.get(use);
    if (share == null) {
      throw new IllegalStateException("no share for " + use);
    }
    return share;
  }

  /** The size of the heap that was divided. */
  public long heapBytes() {
    return heapBytes;
  }

  /** What each use may hold, holds and has held, and how often it was too much. */
  public List<Metric> metrics() {
    return Arrays.stream(Use.values())
        .filter(use -> share(use).maxBytes() > 0)
        .flatMap(use -> share(use).metrics(use.label()).stream())
        .toList();
  }
}
