package io.hdrsidecar.sidecar.memory;

import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What all stages together may hold at most on the heap and in buffers, whatever clients send.
 *
 * <p>It is a bound for the worst that can be sent, not an estimate, and with the default settings
 * it is never above the heap. Each item is a limit that something keeps to, or a share of the heap
 * that is taken before memory is. What it leaves out is garbage, and what the JVM takes outside of
 * the heap.
 *
 * @param items by stage; their names differ
 */
public record MemoryBound(List<MemoryItem> items) {
  /** Takes a copy of the list; throws IllegalArgumentException when two items have one name. */
  public MemoryBound {
    items = List.copyOf(items);
    if (items.stream().map(MemoryItem::name).distinct().count() != items.size()) {
      throw new IllegalArgumentException("names of items must differ: " + items);
    }
  }

  /** The bound of several stages. */
  public static MemoryBound of(List<List<MemoryItem>> stages) {
    List<MemoryItem> all = new ArrayList<>();
    stages.forEach(all::addAll);
    return new MemoryBound(all);
  }

  /** The sum of all items; {@link Long#MAX_VALUE} for that and anything above. */
  public long totalBytes() {
    return MemoryItem.totalBytes(items);
  }

  /** What the item of this name may hold; 0 where there is none. */
  public long maxBytes(String name) {
    return items.stream()
        .filter(item -> item.name().equals(name))
        .mapToLong(MemoryItem::maxBytes)
        .sum();
  }

  /** The largest items, largest first. */
  public List<MemoryItem> largest(int count) {
    return items.stream()
        .sorted(Comparator.comparingLong(MemoryItem::maxBytes).reversed())
        .limit(count)
        .toList();
  }

  /** What is shown of it, beside hdr_sidecar_counts_bytes and the JVM's own figures of what is. */
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(
        Metric.gauge(
            "memory.bound.bytes",
            "Most memory that all that clients send and ask for can take",
            this::totalBytes));
    for (MemoryItem item : items) {
      metrics.add(
          Metric.gauge(
              "memory.bound.item.bytes",
              "The parts of hdr_sidecar_memory_bound_bytes",
              item::maxBytes,
              "item",
              item.name()));
    }
    return metrics;
  }
}
