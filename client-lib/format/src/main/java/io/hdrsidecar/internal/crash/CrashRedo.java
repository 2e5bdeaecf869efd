package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.CHANGE_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO_COUNT;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO_CRC;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Makes changes to the file that take effect together, whenever the process dies: they are written
 * beside what they change, then their number, which says that they are whole; then they are made,
 * and the number is cleared. A process that finds the number makes them again: a change states what
 * is there afterwards, so that twice is as good as once. The sampler only.
 */
final class CrashRedo {
  private final ByteBuffer memory;
  private final int block;
  private final int room;
  private int count;

  CrashRedo(ByteBuffer memory, int block, int bytes) {
    this.memory = memory;
    this.block = block;
    this.room = (bytes - CONTENT) / CHANGE_BYTES;
  }

  /** So many changes may be made at once. */
  int room() {
    return room;
  }

  void begin() {
    VarHandle
        .releaseFence(); // The number of the last ones is cleared before they are written over.
    count = 0;
  }

  /**
   * Adds a change.
   *
   * @throws IllegalStateException when there is no room for it; nothing has taken effect
   */
  void putInt(int offset, int value) {
    if (count == room) {
      throw new IllegalStateException("more changes at once than " + room);
    }
    int change = block + CONTENT + count * CHANGE_BYTES;
    memory.putInt(change, offset);
    memory.putInt(change + Integer.BYTES, value);
    count++;
  }

  void putLong(int offset, long value) {
    int first = (int) value;
    int second = (int) (value >>> Integer.SIZE);
    boolean lowFirst = CrashLayout.IS_LITTLE_ENDIAN;
    putInt(offset, lowFirst ? first : second);
    putInt(offset + Integer.BYTES, lowFirst ? second : first);
  }

  /** Makes the changes. */
  void commit() {
    INT.setRelease(memory, block + REDO_CRC, crc(memory, block, count));
    INT.setRelease(memory, block + REDO_COUNT, count);
    CrashFault.point("redo-written");
    for (int i = 0; i < count; i++) {
      int change = block + CONTENT + i * CHANGE_BYTES;
      INT.setRelease(memory, memory.getInt(change), memory.getInt(change + Integer.BYTES));
      if (i == 0) {
        CrashFault.point("redo-begun");
      }
    }
    CrashFault.point("redo-done");
    INT.setRelease(memory, block + REDO_COUNT, 0);
  }

  /** Of so many changes and their number. */
  static int crc(ByteBuffer memory, int block, int count) {
    CRC32C crc = new CRC32C();
    crc.update(memory.slice(block + CONTENT, count * CHANGE_BYTES));
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(count >>> shift);
    }
    return (int) crc.getValue();
  }
}
