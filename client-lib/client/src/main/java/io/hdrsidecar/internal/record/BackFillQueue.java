package io.hdrsidecar.internal.record;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Back-fills that wait for the sampler: a bounded queue of (value, interval), many producers, one
 * consumer, no lock, no allocation after its creation.
 *
 * <p>A slot carries a turn. Turn {@code n} at position {@code n} means free; a producer claims the
 * position by advancing the tail, writes the pair, and publishes it by setting the turn to {@code n
 * + 1} (release), which the consumer reads (acquire). Having taken the pair, the consumer frees the
 * slot for the next round by setting {@code n + CAPACITY} (release), read by producers (acquire). A
 * producer suspended between claim and publication holds back the pairs behind it until a later
 * harvest; nothing is lost or seen twice.
 *
 * <p>Source: D. Vyukov, bounded MPMC queue, with the consumer's side reduced to one thread.
 */
final class BackFillQueue {
  static final int CAPACITY = 1024;
  private static final int MASK = CAPACITY - 1;

  private final AtomicLongArray turns = new AtomicLongArray(CAPACITY);
  private final long[] values = new long[CAPACITY];
  private final long[] intervals = new long[CAPACITY];
  private final AtomicLong tail = new AtomicLong();
  private long head;

  BackFillQueue() {
    for (int i = 0; i < CAPACITY; i++) {
      turns.setPlain(i, i);
    }
  }

  /** Receives the pairs. */
  interface Consumer {
    void accept(long value, long interval);
  }

  /** Appends a pair, or returns false when the queue is full. Any thread. */
  boolean offer(long value, long interval) {
    long position = tail.get();
    while (true) {
      int slot = (int) position & MASK;
      long turn = turns.getAcquire(slot);
      if (turn == position) {
        long seen = tail.compareAndExchange(position, position + 1);
        if (seen == position) {
          values[slot] = value;
          intervals[slot] = interval;
          turns.setRelease(slot, position + 1);
          return true;
        }
        position = seen;
      } else if (turn < position) {
        return false;
      } else {
        position = tail.get();
      }
    }
  }

  /** Takes what is published, at most {@value #CAPACITY} pairs. One thread. */
  void drain(Consumer consumer) {
    for (int i = 0; i < CAPACITY; i++) {
      int slot = (int) head & MASK;
      if (turns.getAcquire(slot) != head + 1) {
        return;
      }
      long value = values[slot];
      long interval = intervals[slot];
      turns.setRelease(slot, head + CAPACITY);
      head++;
      consumer.accept(value, interval);
    }
  }
}
