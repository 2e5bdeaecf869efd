package io.hdrsidecar.sidecar.cli;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds intervals up to longer ones. Time is cut into slots of equal length; an interval belongs to
 * the slot in which its middle lies, so clocks that are a little off do not make every second slot
 * twice as full, and what is written for a slot tells from when to when its intervals really were.
 *
 * <p>Intervals come in the order of their starts. Once one starts behind a slot, no middle can lie
 * in that slot any more: it is written, and memory is that of the slots that are open. If a log is
 * not in order, a slot is opened and written again; nothing is lost.
 */
final class IntervalSlots {
  /** Where slots are written. */
  @FunctionalInterface
  interface Output {
    /** One slot; times are milliseconds since the epoch. */
    void write(String tag, long startMillis, long endMillis, ValueCounts counts) throws IOException;
  }

  private static final class Slot {
    private final ValueCounts counts;
    private long startMillis = Long.MAX_VALUE;
    private long endMillis;

    Slot(LogEntry first) {
      counts = ValueCounts.like(first);
    }
  }

  /** Integers and floating-point values of one tag make two lines. */
  private record SlotKey(long number, String tag, boolean floating) implements Comparable<SlotKey> {
    @Override
    public int compareTo(SlotKey other) {
      int byNumber = Long.compare(number, other.number);
      int byTag = tag.compareTo(other.tag);
      return byNumber != 0
          ? byNumber
          : byTag != 0 ? byTag : Boolean.compare(floating, other.floating);
    }
  }

  private final TreeMap<SlotKey, Slot> open = new TreeMap<>();
  private final long lengthMillis;
  private final int patience;
  private final Output out;

  /**
   * Slots.
   *
   * @param lengthMillis of each
   * @param patience how many slots stay open behind the newest, for what is not quite in order
   */
  IntervalSlots(long lengthMillis, int patience, Output out) {
    this.lengthMillis = lengthMillis;
    this.patience = patience;
    this.out = out;
  }

  /** Writes the slots before this interval, and adds it to its own. */
  void add(LogEntry entry, String tag, long startMillis, long endMillis) throws IOException {
    writeBefore(Math.floorDiv(startMillis, lengthMillis) - patience);
    long middle = startMillis + (endMillis - startMillis) / 2;
    SlotKey key = new SlotKey(Math.floorDiv(middle, lengthMillis), tag, entry.isFloating());
    Slot full = open.get(key);
    if (full != null && !full.counts.hasRoomFor(entry)) {
      write(key, full); // so that nothing is lost, what follows makes another line
      open.remove(key);
    }
    Slot slot = open.computeIfAbsent(key, any -> new Slot(entry));
    slot.counts.add(entry);
    slot.startMillis = Math.min(slot.startMillis, startMillis);
    slot.endMillis = Math.max(slot.endMillis, endMillis);
  }

  /** Writes what is left. */
  void finish() throws IOException {
    writeBefore(Long.MAX_VALUE);
  }

  private void writeBefore(long number) throws IOException {
    while (!open.isEmpty() && open.firstKey().number() < number) {
      Map.Entry<SlotKey, Slot> first = open.pollFirstEntry();
      write(first.getKey(), first.getValue());
    }
  }

  private void write(SlotKey key, Slot slot) throws IOException {
    out.write(key.tag(), slot.startMillis, slot.endMillis, slot.counts);
  }
}
