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
  public record EncodedInterval(
      long sequence, OutgoingSeries series, long values, ByteBuffer frame) {}

  private final ArrayDeque<EncodedInterval> sent = new ArrayDeque<>();
  private ArrayDeque<EncodedInterval> unsent = new ArrayDeque<>();
  private long values;

  /** Appends an interval with a sequence number above all others. */
  void add(EncodedInterval interval) {
    unsent.addLast(interval);
    values += interval.values();
  }

  /** Appends all of them, or none when there is no memory. */
  void addAll(List<EncodedInterval> intervals) {
    ArrayDeque<EncodedInterval> more = new ArrayDeque<>(unsent.size() + intervals.size() + 1);
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
  @Nullable EncodedInterval nextUnsent() {
    return unsent.peekFirst();
  }

  /** The next to send is on its way. */
  void markSent() {
    sent.addLast(unsent.removeFirst());
  }

  /** Forgets every interval up to this sequence number. */
  void settle(long sequence, Consumer<EncodedInterval> settled) {
    settle(sent, sequence, settled);
    settle(unsent, sequence, settled);
  }

  private void settle(
      ArrayDeque<EncodedInterval> intervals, long sequence, Consumer<EncodedInterval> settled) {
    while (!intervals.isEmpty() && intervals.getFirst().sequence() <= sequence) {
      EncodedInterval interval = intervals.removeFirst();
      values -= interval.values();
      settled.accept(interval);
    }
  }

  /** All of them, by ascending sequence number. */
  public List<EncodedInterval> all() {
    List<EncodedInterval> all = new ArrayList<>(sent);
    all.addAll(unsent);
    return all;
  }

  /** Bytes of all frames. */
  public long frameBytes() {
    long bytes = 0;
    for (EncodedInterval interval : sent) {
      bytes += interval.frame().capacity();
    }
    for (EncodedInterval interval : unsent) {
      bytes += interval.frame().capacity();
    }
    return bytes;
  }

  /** Those above this sequence number; none of them is awaited. */
  public List<EncodedInterval> above(long sequence) {
    return unsent.stream().filter(interval -> interval.sequence() > sequence).toList();
  }

  /** Takes those out. */
  void removeAbove(long sequence) {
    while (!unsent.isEmpty() && unsent.getLast().sequence() > sequence) {
      values -= unsent.removeLast().values();
    }
  }

  /** Takes one out; null when it is settled already. */
  @Nullable EncodedInterval remove(long sequence) {
    EncodedInterval removed = remove(sent, sequence);
    return removed == null ? remove(unsent, sequence) : removed;
  }

  private @Nullable EncodedInterval remove(ArrayDeque<EncodedInterval> intervals, long sequence) {
    for (Iterator<EncodedInterval> iterator = intervals.iterator(); iterator.hasNext(); ) {
      EncodedInterval interval = iterator.next();
      if (interval.sequence() == sequence) {
        iterator.remove();
        values -= interval.values();
        return interval;
      }
    }
    return null;
  }

  /** Takes out what is still to be sent and whose frame is longer than this. */
  List<EncodedInterval> removeLongerThan(long frameBytes) {
    List<EncodedInterval> removed =
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
