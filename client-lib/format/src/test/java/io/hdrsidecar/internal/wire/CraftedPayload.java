package io.hdrsidecar.internal.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/** A payload made by hand, every field of which can be wrong. */
final class CraftedPayload {
  int cookie = HistogramEncoding.V2 | HistogramEncoding.VARIABLE_WORDS;
  int compressedCookie = HistogramEncoding.V2_COMPRESSED | HistogramEncoding.VARIABLE_WORDS;
  int declared = -1;
  int normalizing;
  int digits = 3;
  long lowest = 1;
  long highest = 3_600_000_000_000L;
  double ratio = 1.0;
  private final ByteArrayOutputStream counts = new ByteArrayOutputStream();

  CraftedPayload bytes(int... bytes) {
    Arrays.stream(bytes).forEach(counts::write);
    return this;
  }

  CraftedPayload number(long value) {
    long word = (value << 1) ^ (value >> 63);
    int written = 1;
    for (; word >>> 7 != 0 && written < 9; written++) {
      counts.write((int) (word | 0x80));
      word >>>= 7;
    }
    counts.write((int) word);
    return this;
  }

  CraftedPayload zeros(int times) {
    counts.writeBytes(new byte[times]);
    return this;
  }

  byte[] raw() {
    return ByteBuffer.allocate(HistogramEncoding.HEADER_BYTES + counts.size())
        .putInt(cookie)
        .putInt(declared < 0 && declared != Integer.MIN_VALUE ? counts.size() : declared)
        .putInt(normalizing)
        .putInt(digits)
        .putLong(lowest)
        .putLong(highest)
        .putDouble(ratio)
        .put(counts.toByteArray())
        .array();
  }

  byte[] rawV0() {
    return ByteBuffer.allocate(HistogramEncoding.V0_HEADER_BYTES + counts.size())
        .putInt(cookie)
        .putInt(digits)
        .putLong(lowest)
        .putLong(highest)
        .putLong(0)
        .put(counts.toByteArray())
        .array();
  }

  byte[] deflated() {
    return wrapped(deflate(raw()));
  }

  byte[] wrapped(byte[] zlibStream) {
    return ByteBuffer.allocate(8 + zlibStream.length)
        .putInt(compressedCookie)
        .putInt(zlibStream.length)
        .put(zlibStream)
        .array();
  }

  static byte[] deflate(byte[] contents) {
    Deflater deflater = new Deflater(9);
    deflater.setInput(contents);
    deflater.finish();
    byte[] target = new byte[contents.length + 100];
    int length = deflater.deflate(target);
    deflater.end();
    return Arrays.copyOf(target, length);
  }

  /** As HdrHistogram.NET: a zlib header of its own, bare deflate blocks, no Adler-32. */
  static byte[] deflateLikeDotNet(byte[] contents) {
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(contents);
    deflater.finish();
    byte[] target = new byte[contents.length + 100];
    target[0] = 0x58;
    target[1] = (byte) 0x85;
    int length = deflater.deflate(target, 2, target.length - 2);
    deflater.end();
    return Arrays.copyOf(target, 2 + length);
  }
}
