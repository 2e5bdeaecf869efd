package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.InstanceId;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the kit knows of an instance of the client, across its connections. */
final class KnownInstance {
  /** What became of an interval. */
  enum Fate {
    /** Read, and neither merged nor refused: it has to come again. */
    OPEN,
    /** Counted, whether the client knows or not. */
    MERGED,
    /** Refused, with all that it counts. */
    REFUSED,
    /** Too long for the sidecar that came after: its values come again under other numbers. */
    REPLACED,
    /** Of a number that somebody else has used: it must not come again, under whatever number. */
    ABANDONED
  }

  /** An interval that was read whole at least once. */
  static final class SeenInterval {
    final IntervalContents contents;
    Fate fate = Fate.OPEN;

    /** Whether an ACK that covers it was written. */
    boolean isSettled;

    SeenInterval(IntervalContents contents) {
      this.contents = contents;
    }
  }

  final InstanceId id;
  final TreeMap<Long, SeenInterval> intervals = new TreeMap<>();

  /** Up to where the kit takes them for settled, as WELCOME says. */
  long settled;

  KnownInstance(InstanceId id) {
    this.id = id;
  }

  long highest() {
    return intervals.isEmpty() ? 0 : intervals.lastKey();
  }

  /** What the client must still have, above a number that it is told. */
  SortedMap<Long, SeenInterval> open(long above) {
    SortedMap<Long, SeenInterval> open = new TreeMap<>(intervals.tailMap(above, false));
    open.values().removeIf(KnownInstance::needNotCome);
    return open;
  }

  private static boolean needNotCome(SeenInterval kept) {
    return kept.isSettled || kept.fate == Fate.ABANDONED || kept.fate == Fate.REPLACED;
  }

  /** Settles all up to this number, as an ACK does. */
  void settle(long sequence) {
    settled = Math.max(settled, sequence);
    intervals.headMap(sequence, true).values().forEach(kept -> kept.isSettled = true);
  }

  /** What is open cannot be sent again as it is. */
  void replaceOpen() {
    open(0).values().forEach(kept -> kept.fate = Fate.REPLACED);
  }

  /** Nobody can know what became of what was sent and not settled. */
  void abandonOpen() {
    open(0).values().forEach(kept -> kept.fate = Fate.ABANDONED);
  }
}
