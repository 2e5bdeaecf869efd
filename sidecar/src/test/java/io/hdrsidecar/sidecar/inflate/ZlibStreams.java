package io.hdrsidecar.sidecar.inflate;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Adler32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Streams of zlib, their contents, and what zlib itself says about them. */
final class ZlibStreams {
  private static final int[] STRATEGIES = {
    Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY
  };
  private static final int[] FLUSHES = {
    Deflater.NO_FLUSH, Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH
  };

  private ZlibStreams() {}

  /** Contents of many shapes: as payloads are, repetitive, random, of few values, empty. */
  static byte[] contents(SplittableRandom random) {
    int length = random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(1500);
    byte[] bytes = new byte[length];
    int shape = random.nextInt(6);
    int values = 1 + random.nextInt(shape == 0 ? 256 : 12);
    for (int i = 0; i < length; i++) {
      bytes[i] =
          switch (shape) {
            case 0, 1 -> (byte) random.nextInt(values);
            case 2 -> (byte) (i % values);
            case 3 -> (byte) Math.min(Math.abs(random.nextGaussian() * values), 255);
            case 4 -> (byte) (random.nextInt(values) == 0 ? random.nextInt() : 2);
            default -> i < 300 || random.nextInt(40) == 0 ? (byte) random.nextInt() : 0;
          };
      int back = random.nextInt(400);
      if (shape == 5 && back > 0 && i > back && bytes[i] == 0) {
        bytes[i] = bytes[i - back];
      }
    }
    return bytes;
  }

  /** Deflated at a random level and strategy, some in several blocks. */
  static byte[] deflate(byte[] contents, SplittableRandom random) {
    Deflater deflater = new Deflater(random.nextInt(11) - 1);
    deflater.setStrategy(STRATEGIES[random.nextInt(STRATEGIES.length)]);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    byte[] buffer = new byte[4096];
    int from = 0;
    while (random.nextInt(3) == 0 && from < contents.length) {
      int length = random.nextInt(contents.length - from + 1);
      deflater.setInput(contents, from, length);
      int flush = FLUSHES[random.nextInt(FLUSHES.length)];
      int n;
      do { // The first call may yield nothing and leave the input, as it sets the strategy.
        n = deflater.deflate(buffer, 0, buffer.length, flush);
        stream.write(buffer, 0, n);
      } while (n > 0 || !deflater.needsInput());
      from += length;
    }
    deflater.setInput(contents, from, contents.length - from);
    deflater.finish();
    while (!deflater.finished()) {
      stream.write(buffer, 0, deflater.deflate(buffer));
    }
    deflater.end();
    return stream.toByteArray();
  }

  /** What zlib makes of it within so much room, or null if it does not come to a good end. */
  static byte @Nullable [] inflate(byte[] stream, int room) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(stream);
      byte[] contents = new byte[room];
      int length = inflater.inflate(contents);
      return inflater.finished() ? Arrays.copyOf(contents, length) : null;
    } catch (DataFormatException refused) {
      return null;
    } finally {
      inflater.end();
    }
  }

  /**
   * The same blocks with the checksum of what zlib makes of them, so that they are refused for
   * nothing but what they are; as it was, if zlib makes nothing of them.
   */
  static byte[] withChecksum(byte[] stream, int room) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(stream, 2, stream.length - 2);
      byte[] contents = new byte[room];
      int length = inflater.inflate(contents);
      if (!inflater.finished()) {
        return stream;
      }
      Adler32 adler = new Adler32();
      adler.update(contents, 0, length);
      int end = 2 + (int) inflater.getBytesRead();
      byte[] sound = Arrays.copyOf(stream, end + 4);
      for (int i = 0; i < 4; i++) {
        sound[end + i] = (byte) (adler.getValue() >>> (24 - 8 * i));
      }
      return sound;
    } catch (DataFormatException refused) {
      return stream;
    } finally {
      inflater.end();
    }
  }
}
