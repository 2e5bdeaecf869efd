package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.ALIGNMENT;
import static io.hdrsidecar.internal.crash.CrashLayout.BLOCK_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.BLOCK_HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CHANGE_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CLOSED;
import static io.hdrsidecar.internal.crash.CrashLayout.COMPLETE;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.HEADER_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND;
import static io.hdrsidecar.internal.crash.CrashLayout.LENGTH;
import static io.hdrsidecar.internal.crash.CrashLayout.MAGIC;
import static io.hdrsidecar.internal.crash.CrashLayout.NUMBER;
import static io.hdrsidecar.internal.crash.CrashLayout.OWNER;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO_COUNT;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.STATE;
import static io.hdrsidecar.internal.crash.CrashLayout.VERSION;

import io.hdrsidecar.internal.spill.SpillFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.TreeMap;

/**
 * The bytes that a dead process has left, as they are with the changes it had begun to make. They
 * are read, not mapped: a process that shortens a mapped file ends the one that looks at it. One
 * that may write to the folder may have put anything there, so each offset is checked before it is
 * followed.
 */
final class CrashImage {
  private final SpillFile file;
  private final ByteBuffer header;
  private final int length;

  /** What is at an offset instead, an int each. */
  private final TreeMap<Integer, Integer> changes = new TreeMap<>();

  /**
   * Reads the header, and the changes that are to be made.
   *
   * @throws DamagedException when either is damaged, or of another version
   */
  CrashImage(SpillFile file) throws IOException {
    this.file = file;
    this.header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.nativeOrder());
    if (file.size() >= HEADER_BYTES) {
      file.read(header, 0);
    } else if (!file.isUnfinished()) {
      throw new DamagedException("a header needs " + HEADER_BYTES + " bytes");
    }
    this.length = header.getInt(LENGTH);
    if (header.getInt(STATE) != 0 || !file.isUnfinished()) {
      check();
      if (isToBeCounted()) {
        readChanges(header.getInt(REDO));
      }
    }
  }

  /** Whether its process had come so far that something may have been counted, and no farther. */
  boolean isToBeCounted() {
    return header.getInt(STATE) == COMPLETE;
  }

  private void check() throws DamagedException {
    if (header.getLong(0) != MAGIC) {
      throw new DamagedException("this is no crash file of a machine of this byte order");
    }
    if (header.getInt(Long.BYTES) != VERSION) {
      throw new DamagedException(
          "version must be " + VERSION + ", and is " + header.getInt(Long.BYTES));
    }
    if (header.getInt(HEADER_CRC) != CrashLayout.headerCrc(header)
        || (header.getInt(STATE) != COMPLETE && header.getInt(STATE) != CLOSED)
        || length < HEADER_BYTES
        || length > file.size()) {
      throw new DamagedException("the header is damaged");
    }
  }

  private void readChanges(int block) throws IOException {
    int bytes = number(block, CrashLayout.KIND_REDO, 0);
    int count = intAt(block + REDO_COUNT);
    if (count == 0) {
      return;
    }
    int most = Math.min(bytes, CrashPlace.REDO_BYTES); // They are held, whatever wrote them.
    if (count < 0 || count > (most - CONTENT) / CHANGE_BYTES) {
      throw new DamagedException("changes cannot be so many: " + count);
    }
    ByteBuffer written = read(block, CONTENT + count * CHANGE_BYTES);
    if (written.getInt(REDO_CRC) != CrashRedo.crc(written, 0, count)) {
      throw new DamagedException("the changes that were begun are damaged");
    }
    for (int i = 0; i < count; i++) {
      int change = CONTENT + i * CHANGE_BYTES;
      changes.put(written.getInt(change), written.getInt(change + Integer.BYTES));
    }
  }

  /** The bytes from an offset on. */
  ByteBuffer read(int offset, int bytes) throws IOException {
    if (offset < 0 || bytes < 0 || offset > length - bytes) {
      throw new DamagedException("an offset leads out of the file: " + offset + " + " + bytes);
    }
    ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    file.read(target, offset);
    changes
        .subMap(offset, offset + bytes - Integer.BYTES + 1)
        .forEach((at, value) -> target.putInt(at - offset, value));
    return target.rewind();
  }

  int intAt(int offset) throws IOException {
    return read(offset, Integer.BYTES).getInt(0);
  }

  long longAt(int offset) throws IOException {
    return read(offset, Long.BYTES).getLong(0);
  }

  /**
   * Checks that there is a block of this kind.
   *
   * @return its number
   */
  int number(int block, int kind, int owner) throws IOException {
    if (block < HEADER_BYTES || block % ALIGNMENT != 0) {
      throw new DamagedException("no block can be at " + block);
    }
    ByteBuffer described = read(block, BLOCK_HEADER_BYTES);
    if (described.getInt(KIND) != kind
        || described.getInt(OWNER) != owner
        || described.getInt(BLOCK_CRC) != CrashLayout.crc(described, 0, BLOCK_CRC)) {
      throw new DamagedException("a block of kind " + kind + " is expected at " + block);
    }
    return described.getInt(NUMBER);
  }

  /** Bytes that the file may use. */
  int length() {
    return length;
  }

  /** Of the sections whose place is fixed. */
  int headerInt(int offset) {
    return header.getInt(offset);
  }
}
