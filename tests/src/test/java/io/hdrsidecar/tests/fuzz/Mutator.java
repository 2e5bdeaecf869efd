package io.hdrsidecar.tests.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes bad bytes of good ones: by small damages, or by words at places they do not belong. */
final class Mutator {
  private static final int MAX_DAMAGES = 4;

  private final List<byte[]> words;

  /** Damages alone. */
  Mutator() {
    this(List.of());
  }

  /**
   * Damages and insertions.
   *
   * @param words what the grammar of the input is made of
   */
  Mutator(List<byte[]> words) {
    this.words = words;
  }

  /** One to four damages: a bit, a byte, a number, a cut, a repetition, a splice, a word. */
  byte[] damaged(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    for (int left = random.nextInt(1, MAX_DAMAGES + 1); left > 0 && bytes.length > 8; left--) {
      bytes = damagedOnce(bytes, random);
    }
    return bytes;
  }

  private byte[] damagedOnce(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(words.isEmpty() ? 8 : 11)) {
      case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) random.nextInt();
      case 3 -> ByteBuffer.wrap(bytes).putInt(Math.min(at, bytes.length - 4), edge(random));
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 5 -> {
        return Arrays.copyOf(bytes, bytes.length + random.nextInt(50));
      }
      case 6 -> {
        return without(bytes, at, random.nextInt(1, 1 + bytes.length - at));
      }
      case 7 -> {
        int from = random.nextInt(bytes.length);
        int length = random.nextInt(1, 1 + Math.min(1000, bytes.length - from));
        return with(bytes, at, Arrays.copyOfRange(bytes, from, from + length));
      }
      default -> {
        return with(bytes, at, words.get(random.nextInt(words.size())));
      }
    }
    return bytes;
  }

  private static int edge(SplittableRandom random) {
    int[] edges = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << random.nextInt(31)};
    return edges[random.nextInt(edges.length)];
  }

  private static byte[] without(byte[] bytes, int at, int length) {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.write(bytes, 0, at);
    rest.write(bytes, at + length, bytes.length - at - length);
    return rest.toByteArray();
  }

  private static byte[] with(byte[] bytes, int at, byte[] inserted) {
    ByteArrayOutputStream more = new ByteArrayOutputStream();
    more.write(bytes, 0, at);
    more.writeBytes(inserted);
    more.write(bytes, at, bytes.length - at);
    return more.toByteArray();
  }
}
