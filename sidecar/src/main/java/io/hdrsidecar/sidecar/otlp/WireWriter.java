package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import java.util.Arrays;

/**
 * Writes protobuf's wire format. What it grows by is taken from a claim first. The length of a
 * message is written when it ends, in four bytes whatever it is, which every reader takes. One
 * thread at a time.
 */
final class WireWriter {
  private static final int LENGTH_BYTES = 4;
  private static final int MOST_LENGTH = 1 << (7 * LENGTH_BYTES);

  private final HeapClaim claim;
  private byte[] bytes = new byte[256];
  private int size;

  WireWriter(HeapClaim claim) {
    this.claim = claim;
  }

  /** Where a message or a row of numbers begins that is field {@code number}, for {@link #end}. */
  int begin(int number) {
    tag(number, WireReader.BYTES);
    reserve(LENGTH_BYTES);
    size += LENGTH_BYTES;
    return size;
  }

  /** Ends what began there. */
  void end(int start) {
    int length = size - start;
    if (length >= MOST_LENGTH) {
      throw claim.full(length);
    }
    for (int i = 0; i < LENGTH_BYTES; i++) {
      int more = i < LENGTH_BYTES - 1 ? 0x80 : 0;
      bytes[start - LENGTH_BYTES + i] = (byte) ((length >>> (7 * i) & 0x7f) | more);
    }
  }

  void tag(int number, int wireType) {
    varint((long) number << 3 | wireType);
  }

  void varint(long value) {
    reserve(10);
    long left = value;
    while ((left & ~0x7fL) != 0) {
      bytes[size++] = (byte) ((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  void sint32(int value) {
    varint((value << 1 ^ value >> 31) & 0xffff_ffffL);
  }

  void fixed64(long value) {
    reserve(8);
    for (int i = 0; i < 8; i++) {
      bytes[size++] = (byte) (value >>> (8 * i));
    }
  }

  /** Bytes with their length. */
  void sized(byte[] value) {
    varint(value.length);
    reserve(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      int length = size + Math.max(more, size);
      claim.grow(length); // The old one is there until the copy is made, and garbage then.
      bytes = Arrays.copyOf(bytes, length);
    }
  }

  /** What was written. */
  WireReader reader() {
    return new WireReader(bytes, 0, size);
  }

  /** A copy of what was written. */
  byte[] copy() {
    return Arrays.copyOf(bytes, size);
  }
}
