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
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The frames that were made and are not settled, in the order of their numbers: a ring of entries.
 * One is there from the moment on at which the end of the ring is moved behind it, which is part of
 * a {@link CrashRedo}. The sampler only.
 */
final class CrashOutbox {
  private final ByteBuffer memory;
  private final int block;
  private final int length;

  /** Before the first entry. Entries are linked, as nothing may be allocated once one is there. */
  private final Entry before = new Entry(0, 0, 0);

  private Entry last = before;
  private long head;
  private long tail;

  /** An entry: its number, where it is, and where the next begins. */
  private static final class Entry {
    final long sequence;
    final long at;
    final long end;
    @Nullable Entry next;

    Entry(long sequence, long at, long end) {
      this.sequence = sequence;
      this.at = at;
      this.end = end;
    }
  }

  /** An entry that was written, and is not there yet. */
  final class Written {
    private final Entry entry;

    private Written(Entry entry) {
      this.entry = entry;
    }

    /** Where the outbox ends with it. */
    long tail() {
      return entry.end;
    }

    /** The end of the outbox in the file is behind it: it is there. Allocates nothing. */
    void isThere() {
      tail = entry.end;
      last.next = entry;
      last = entry;
    }
  }

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

  /** Writes an entry behind the others, where there is room; it is not there yet. */
  Written write(int series, long sequence, ByteBuffer frame) {
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
    return new Written(new Entry(sequence, begin, begin + entryBytes(bytes)));
  }

  /** Forgets all entries up to this number. */
  void settle(long sequence) {
    Entry first = before.next;
    while (first != null && first.sequence <= sequence) {
      head = first.end;
      remove(before, first);
      first = before.next;
    }
    LONG.setRelease(memory, OUTBOX_HEAD, head);
  }

  private void remove(Entry previous, Entry entry) {
    previous.next = entry.next;
    if (last == entry) {
      last = previous;
    }
  }

  /** Forgets those that a condition on the number holds for. */
  void forget(LongPredicate condition) {
    for (Entry entry = before.next; entry != null; entry = entry.next) {
      if (condition.test(entry.sequence)) {
        INT.setRelease(memory, state(entry), ENTRY_TAKEN_BACK);
      }
    }
    forgotten(condition);
  }

  /** They are marked as taken back. */
  void forgotten(LongPredicate condition) {
    Entry previous = before;
    for (Entry entry = before.next; entry != null; entry = entry.next) {
      if (condition.test(entry.sequence)) {
        remove(previous, entry);
      } else {
        previous = entry;
      }
    }
    Entry first = before.next;
    head = first == null ? tail : first.at;
    LONG.setRelease(memory, OUTBOX_HEAD, head);
  }

  /** Where the state of the entry of this number is; 0 when it is not there. */
  int stateOf(long sequence) {
    for (Entry entry = before.next; entry != null; entry = entry.next) {
      if (entry.sequence == sequence) {
        return state(entry);
      }
    }
    return 0;
  }

  private int state(Entry entry) {
    return address(entry.at) + ENTRY_STATE;
  }
}
