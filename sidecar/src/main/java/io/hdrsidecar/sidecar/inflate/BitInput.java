package io.hdrsidecar.sidecar.inflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A deflated stream as bits, least significant first (RFC 1951, section 3.1.1).
 *
 * <p>The stream is copied into memory with room behind it, so whole words can be read up to its
 * last byte and nobody has to ask at each symbol whether there are bits. What is read past the end
 * is left over from other streams: a reader that has taken more than there was, by {@link #isPast},
 * must throw away what it made of it. Loops take fields into local variables and put them back.
 */
final class BitInput {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** As many bytes may be taken past the end between two checks: 560 of the longest header. */
  private static final int SPARE_BYTES = 1024;

  byte[] bytes = new byte[4096];

  /** Where the next word is read, and where the stream ends. */
  int position;

  int end;

  /** Bits that were read, and how many of them count. */
  long buffer;

  int bits;

  static long longAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putLong(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }

  /** Takes a copy of a part of an array as the stream. */
  void start(byte[] source, int from, int to) {
    end = to - from;
    if (bytes.length < end + SPARE_BYTES) {
      bytes = new byte[Math.max(end + SPARE_BYTES, bytes.length * 2)];
    }
    System.arraycopy(source, from, bytes, 0, end);
    seek(0);
  }

  /** Goes on at a byte. */
  void seek(int at) {
    position = at;
    buffer = 0;
    bits = 0;
  }

  /** There are 56 bits at least afterwards. */
  void refill() {
    buffer |= longAt(bytes, position) << bits;
    position += (63 - bits) >>> 3;
    bits |= 56;
  }

  /** Sets what a loop had in variables of its own. */
  void put(long newBuffer, int newBits, int newPosition) {
    buffer = newBuffer;
    bits = newBits;
    position = newPosition;
  }

  int take(int howMany) {
    int value = (int) buffer & ((1 << howMany) - 1);
    buffer >>>= howMany;
    bits -= howMany;
    return value;
  }

  /** The byte behind the last bit that was taken; the rest of its own byte is left out. */
  int nextByte() {
    return position - (bits >>> 3);
  }

  /** Whether more was taken than there was. */
  boolean isPast() {
    return nextByte() > end;
  }
}
