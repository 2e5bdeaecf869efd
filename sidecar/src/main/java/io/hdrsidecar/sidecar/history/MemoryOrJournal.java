package io.hdrsidecar.sidecar.history;

import io.hdrsidecar.internal.interval.BucketLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where memory and journal meet in one series: which intervals are taken from memory, and which
 * records are therefore not wanted from the journal.
 *
 * <p>The seam is drawn by numbers of records, not by time. Every interval is one record of one
 * layout, and each that memory has knows its number, or, where neighbours were added together, the
 * lowest and the highest. What overlaps in numbers is one piece. A piece is taken whole from one
 * side: from memory if nothing in it was added together, as that is the finest there is, or if the
 * journal lacks a record in it, as it was not flushed yet or as writing failed; otherwise from the
 * journal. The numbers of a layout in two pieces never overlap, so no interval is taken twice; a
 * record outside of all pieces is not in memory, and the journal's; so none is lost.
 *
 * <p>That needs the order of things: first the journal is opened, then memory is read. What the
 * journal has by then has been merged, and memory has it or has given it up.
 */
public final class MemoryOrJournal {
  private final List<PastInterval> fromMemory = new ArrayList<>();
  private final Map<BucketLayout, RecordRanges> inMemory = new HashMap<>();

  private MemoryOrJournal() {}

  /**
   * Draws it.
   *
   * @param kept what memory has of the range, read after the journal was opened
   * @param takesAll whether everything that memory has is taken from there, however coarse
   */
  public static MemoryOrJournal of(List<KeptInterval> kept, PastReading journal, boolean takesAll) {
    MemoryOrJournal seam = new MemoryOrJournal();
    Map<BucketLayout, List<KeptInterval>> lanes = new LinkedHashMap<>();
    for (KeptInterval each : kept) {
      lanes.computeIfAbsent(each.layout(), none -> new ArrayList<>()).add(each);
    }
    lanes.forEach((layout, lane) -> seam.cut(layout, lane, journal, takesAll));
    return seam;
  }

  private void cut(
      BucketLayout layout, List<KeptInterval> lane, PastReading journal, boolean takesAll) {
    List<KeptInterval> rising = new ArrayList<>(lane);
    rising.sort(Comparator.comparingLong(KeptInterval::firstRecord));
    RecordRanges taken = new RecordRanges();
    for (int from = 0; from < rising.size(); ) {
      long first = rising.get(from).firstRecord();
      long last = rising.get(from).lastRecord();
      boolean isFinest = rising.get(from).merged() == 1;
      int to = from + 1;
      for (; to < rising.size() && rising.get(to).firstRecord() <= last; to++) {
        last = Math.max(last, rising.get(to).lastRecord());
        isFinest &= rising.get(to).merged() == 1;
      }
      if (takesAll || isFinest || !journal.hasAll(first, last)) {
        fromMemory.addAll(rising.subList(from, to));
        taken.add(first, last);
      }
      from = to;
    }
    inMemory.put(layout, taken);
  }

  /** The intervals that are taken from memory. */
  public List<PastInterval> fromMemory() {
    return fromMemory;
  }

  /** By layout, the records that are in them, and that the journal must leave out. */
  public Map<BucketLayout, RecordRanges> inMemory() {
    return inMemory;
  }
}
