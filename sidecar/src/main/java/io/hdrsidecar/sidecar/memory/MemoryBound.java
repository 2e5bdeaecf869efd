package io.hdrsidecar.sidecar.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What all stages together may hold at most on the heap and in buffers, whatever clients send.
 *
 * <p>It is a bound for the worst that can be sent, not an estimate: every counter of every layout
 * of every series used, in every step of every window. What it leaves out is what an idle sidecar
 * takes, {@link #BASE_HEAP_BYTES} of heap and, outside of it, the JVM's own code and threads.
 *
 * @param items by stage; their names differ
 */
public record MemoryBound(List<MemoryItem> items) {
  /**
   * Heap of a sidecar that has nothing to do: JVM, Vert.x, configuration, own metrics and the
   * garbage of scraping them.
   */
  public static final long BASE_HEAP_BYTES = 48L << 20;

  /**
   * What of {@link #BASE_HEAP_BYTES} stays after a collection, so that the rest of the heap can
   * hold series: 8 MiB measured, and half of that again for what is being scraped.
   */
  public static final long LIVE_HEAP_BYTES = 12L << 20;

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
    return MemoryItem.plus(items.stream().mapToLong(MemoryItem::maxBytes).toArray());
  }

  /** The largest items, largest first. */
  public List<MemoryItem> largest(int count) {
    return items.stream()
        .sorted(Comparator.comparingLong(MemoryItem::maxBytes).reversed())
        .limit(count)
        .toList();
  }
}
