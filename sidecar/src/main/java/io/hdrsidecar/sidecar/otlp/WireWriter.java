package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.Leb128;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes protobuf's wire format. What it grows by is taken from a claim first. The length of a
 * message is written when it ends, in four bytes whatever it is, which every reader takes. One
 * thread at a time.
 */
public final class WireWriter {
  private static final int LENGTH_BYTES = 4;
  private static final int MOST_LENGTH = 1 << (7 * LENGTH_BYTES);

  private final HeapClaim claim;
  private byte[] bytes = new byte[256];
  private int size;

  /** Nothing written yet. */
  public WireWriter(HeapClaim claim) {
    this.claim = claim;
  }

  /** Where a message or a row of numbers begins that is field {@code number}, for {@link #end}. */
  public int begin(int number) {
    tag(number, WireReader.BYTES);
    reserve(LENGTH_BYTES);
    size += LENGTH_BYTES;
    return size;
  }

  /** Ends what began there. */
  public void end(int start) {
    int length = size - start;
    if (length >= MOST_LENGTH) {
      throw claim.full(length);
    }
    for (int i = 0; i < LENGTH_BYTES; i++) {
      int more = i < LENGTH_BYTES - 1 ? 0x80 : 0;
      bytes[start - LENGTH_BYTES + i] = (byte) ((length >>> (7 * i) & 0x7f) | more);
    }
  }

  /** What every field begins with. */
  public void tag(int number, int wireType) {
    varint((long) number << 3 | wireType);
  }

  /** A number, unsigned, in as few bytes as it needs. */
  public void varint(long value) {
    reserve(Leb128.MAX_BYTES);
    size = Leb128.put(bytes, size, value);
  }

  /** A number with a sign. */
  public void sint32(int value) {
    varint((value << 1 ^ value >> 31) & 0xffff_ffffL);
  }

  /** A number with a sign, of 64 bits. */
  public void sint64(long value) {
    varint(value << 1 ^ value >> 63);
  }

  /** A number of eight bytes. */
  public void fixed64(long value) {
    reserve(8);
    for (int i = 0; i < 8; i++) {
      bytes[size++] = (byte) (value >>> (8 * i));
    }
  }

  /** Bytes with their length. */
  public void sized(byte[] value) {
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

  /** How many bytes were written. */
  public int size() {
    return size;
  }

  /** Forgets what was written and keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** Hands what was written to a stream. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  /** What was written. */
  WireReader reader() {
    return new WireReader(bytes, 0, size);
  }

  /** A copy of what was written. */
  public byte[] copy() {
    return Arrays.copyOf(bytes, size);
  }
}
