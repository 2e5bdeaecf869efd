package io.hdrsidecar.internal.send;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encoded intervals that the sidecar has not settled, by ascending sequence number. Each is either
 * sent on the present connection or still to be sent on it; a lost connection makes all of them the
 * latter again.
 */
public final class InFlight {
  /**
   * An encoded interval.
   *
   * @param frame the whole INTERVAL frame, sent again byte for byte
   */
  public record FramedInterval(
      long sequence, OutgoingSeries series, long values, ByteBuffer frame) {}

  private final ArrayDeque<FramedInterval> sent = new ArrayDeque<>();
  private ArrayDeque<FramedInterval> unsent = new ArrayDeque<>();
  private long values;

  /** Appends an interval with a sequence number above all others. */
  void add(FramedInterval interval) {
    unsent.addLast(interval);
    values += interval.values();
  }

  /** Appends all of them, or none when there is no memory. */
  void addAll(List<FramedInterval> intervals) {
    ArrayDeque<FramedInterval> more = new ArrayDeque<>(unsent.size() + intervals.size() + 1);
    more.addAll(unsent);
    more.addAll(intervals);
    unsent = more;
    intervals.forEach(interval -> values += interval.values());
  }

  public int size() {
    return sent.size() + unsent.size();
  }

  public boolean isEmpty() {
    return sent.isEmpty() && unsent.isEmpty();
  }

  public long values() {
    return values;
  }

  /** How many were sent on the present connection. */
  int awaiting() {
    return sent.size();
  }

  /** The next to send on the present connection, or null. */
  @Nullable FramedInterval nextUnsent() {
    return unsent.peekFirst();
  }

  /** The next to send is on its way. */
  void markSent() {
    sent.addLast(unsent.removeFirst());
  }

  /** Forgets every interval up to this sequence number. */
  void settle(long sequence, Consumer<FramedInterval> settled) {
    settle(sent, sequence, settled);
    settle(unsent, sequence, settled);
  }

  private void settle(
      ArrayDeque<FramedInterval> intervals, long sequence, Consumer<FramedInterval> settled) {
    while (!intervals.isEmpty() && intervals.getFirst().sequence() <= sequence) {
      FramedInterval interval = intervals.removeFirst();
      values -= interval.values();
      settled.accept(interval);
    }
  }

  /** All of them, by ascending sequence number. */
  public List<FramedInterval> all() {
    List<FramedInterval> all = new ArrayList<>(sent);
    all.addAll(unsent);
    return all;
  }

  /** Bytes of all frames. */
  public long frameBytes() {
    long bytes = 0;
    for (FramedInterval interval : sent) {
      bytes += interval.frame().capacity();
    }
    for (FramedInterval interval : unsent) {
      bytes += interval.frame().capacity();
    }
    return bytes;
  }

  /** Those above this sequence number; none of them is awaited. */
  public List<FramedInterval> above(long sequence) {
    return unsent.stream().filter(interval -> interval.sequence() > sequence).toList();
  }

  /** Takes those out. */
  void removeAbove(long sequence) {
    while (!unsent.isEmpty() && unsent.getLast().sequence() > sequence) {
      values -= unsent.removeLast().values();
    }
  }

  /** Takes one out; null when it is settled already. */
  @Nullable FramedInterval remove(long sequence) {
    FramedInterval removed = remove(sent, sequence);
    return removed == null ? remove(unsent, sequence) : removed;
  }

  private @Nullable FramedInterval remove(ArrayDeque<FramedInterval> intervals, long sequence) {
    for (Iterator<FramedInterval> iterator = intervals.iterator(); iterator.hasNext(); ) {
      FramedInterval interval = iterator.next();
      if (interval.sequence() == sequence) {
        iterator.remove();
        values -= interval.values();
        return interval;
      }
    }
    return null;
  }

  /** Takes out what is still to be sent and whose frame is longer than this. */
  List<FramedInterval> removeLongerThan(long frameBytes) {
    List<FramedInterval> removed =
        unsent.stream().filter(interval -> interval.frame().remaining() > frameBytes).toList();
    unsent.removeAll(removed);
    removed.forEach(interval -> values -= interval.values());
    return removed;
  }

  /** The connection is lost: all are to be sent again, oldest first. */
  void connectionLost() {
    while (!sent.isEmpty()) {
      unsent.addFirst(sent.removeLast());
    }
  }
}
