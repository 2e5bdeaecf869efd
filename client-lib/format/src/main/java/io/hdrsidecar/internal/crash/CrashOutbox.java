package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_FRAME;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_STATE;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_TAKEN_BACK;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_WHOLE;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.LONG;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX_HEAD;
import static io.hdrsidecar.internal.crash.CrashLayout.SKIP;
import static io.hdrsidecar.internal.crash.CrashLayout.entryBytes;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongPredicate;

/**
 * The frames that were made and are not settled, in the order of their numbers: a ring of entries.
 * One is there from the moment on at which the end of the ring is moved behind it, which is part of
 * a {@link CrashRedo}. The sampler only.
 */
final class CrashOutbox {
  private final ByteBuffer memory;
  private final int block;
  private final int length;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private long head;
  private long tail;

  /** An entry: its number, where it is, and where the next begins. */
  private record Entry(long sequence, long at, long next) {}

  CrashOutbox(ByteBuffer memory, int block, int bytes) {
    this.memory = memory;
    this.block = block;
    this.length = bytes - CONTENT;
  }

  /** Largest frame that there is ever room for, with others beside it. */
  int longestFrame() {
    return length / 8 - ENTRY_FRAME;
  }

  /** Whether entries of so many bytes have room, wherever the ring is broken between them. */
  boolean hasRoomForAll(int bytes) {
    return tail - head + 2L * bytes <= length;
  }

  /** Whether they have room when there is nothing else. */
  boolean canHold(int bytes) {
    return 2L * bytes <= length;
  }

  /** Entries are not broken at the end of the ring. */
  private long begin(int frameBytes) {
    int toEnd = length - place(tail);
    return toEnd < entryBytes(frameBytes) ? tail + toEnd : tail;
  }

  private int place(long position) {
    return (int) (position % length);
  }

  private int address(long position) {
    return block + CONTENT + place(position);
  }

  /**
   * Writes an entry behind the others, where there is room; it is not there yet.
   *
   * @return where the outbox ends with it
   */
  long write(int series, ByteBuffer frame) {
    int bytes = frame.remaining();
    VarHandle.releaseFence(); // What was here is settled, in the file as well.
    long begin = begin(bytes);
    if (begin != tail) {
      memory.putInt(address(tail), SKIP);
    }
    int entry = address(begin);
    memory.putInt(entry, bytes);
    memory.putInt(entry + ENTRY_SERIES, series);
    memory.putInt(entry + ENTRY_CRC, CrashLayout.crc(memory, entry, ENTRY_CRC));
    memory.putInt(entry + ENTRY_STATE, ENTRY_WHOLE);
    memory.put(entry + ENTRY_FRAME, frame.array(), frame.arrayOffset() + frame.position(), bytes);
    return begin + entryBytes(bytes);
  }

  /** The entry just written is there. */
  void written(long sequence, int frameBytes) {
    long begin = begin(frameBytes);
    tail = begin + entryBytes(frameBytes);
    entries.addLast(new Entry(sequence, begin, tail));
  }

  /** Forgets all entries up to this number. */
  void settle(long sequence) {
    while (!entries.isEmpty() && entries.getFirst().sequence() <= sequence) {
      head = entries.removeFirst().next();
    }
    LONG.setRelease(memory, OUTBOX_HEAD, head);
  }

  /** Forgets those that a condition on the number holds for. */
  void forget(LongPredicate condition) {
    entries.stream()
        .filter(entry -> condition.test(entry.sequence()))
        .forEach(entry -> INT.setRelease(memory, state(entry), ENTRY_TAKEN_BACK));
    forgotten(condition);
  }

  /** They are marked as taken back. */
  void forgotten(LongPredicate condition) {
    entries.removeIf(entry -> condition.test(entry.sequence()));
    head = entries.isEmpty() ? tail : entries.getFirst().at();
    LONG.setRelease(memory, OUTBOX_HEAD, head);
  }

  /** Where the state of the entry of this number is; 0 when it is not there. */
  int stateOf(long sequence) {
    for (Entry entry : entries) {
      if (entry.sequence() == sequence) {
        return state(entry);
      }
    }
    return 0;
  }

  private int state(Entry entry) {
    return address(entry.at()) + ENTRY_STATE;
  }
}
