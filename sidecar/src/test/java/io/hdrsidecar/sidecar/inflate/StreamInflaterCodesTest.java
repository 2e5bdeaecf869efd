package io.hdrsidecar.sidecar.inflate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Blocks with codes made by hand and nothing but their end, so that the codes alone decide: zlib
 * says whether they may be so.
 */
class StreamInflaterCodesTest {
  private static final int END_OF_BLOCK = 256;
  private static final int[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private final StreamInflater inflater = new StreamInflater();
  private final byte[] into = new byte[4096];
  private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
  private int pending;
  private int pendingBits;

  private void put(int value, int bits) {
    for (int i = 0; i < bits; i++) {
      pending |= (value >>> i & 1) << pendingBits;
      if (++pendingBits == 8) {
        stream.write(pending);
        pending = 0;
        pendingBits = 0;
      }
    }
  }

  private byte[] finish() {
    put(0, (8 - pendingBits) % 8);
    for (int b : new int[] {0, 0, 0, 1}) { // Adler-32 of nothing
      put(b, 8);
    }
    byte[] bytes = stream.toByteArray();
    stream.reset();
    return bytes;
  }

  /** One last block; lengths are written in a code of four bits for each. */
  private byte[] block(int[] literals, int[] distances) {
    put(0x78, 8);
    put(0x9c, 8);
    put(1, 1);
    put(2, 2);
    put(literals.length - 257, 5);
    put(distances.length - 1, 5);
    put(15, 4);
    for (int symbol : ORDER) {
      put(symbol < 16 ? 4 : 0, 3);
    }
    for (int[] lengths : new int[][] {literals, distances}) {
      for (int length : lengths) {
        put(Integer.reverse(length) >>> 28, 4);
      }
    }
    int length = literals[END_OF_BLOCK];
    put(length == 0 ? 0 : Integer.reverse(codeOfEnd(literals)) >>> (32 - length), length);
    return finish();
  }

  /** RFC 1951, section 3.2.2. */
  private static int codeOfEnd(int[] lengths) {
    int[] howMany = new int[16];
    for (int length : lengths) {
      howMany[length]++;
    }
    howMany[0] = 0;
    int code = 0;
    for (int length = 1; length <= lengths[END_OF_BLOCK]; length++) {
      code = (code + howMany[length - 1]) << 1;
    }
    for (int symbol = 0; symbol < END_OF_BLOCK; symbol++) {
      code += lengths[symbol] == lengths[END_OF_BLOCK] ? 1 : 0;
    }
    return code;
  }

  /** Complete: one length after the other is split into two of one bit more. */
  private static int[] complete(SplittableRandom random, int size, int used) {
    int[] found = new int[used];
    found[0] = used == 1 ? 1 : 0;
    for (int n = 1; n < used; ) {
      int split = random.nextInt(n);
      if (found[split] < 15) {
        found[n++] = ++found[split];
      }
    }
    int[] lengths = new int[size];
    for (int length : found) {
      int at = random.nextInt(size);
      while (lengths[at] != 0) {
        at = (at + 1) % size;
      }
      lengths[at] = length;
    }
    return lengths;
  }

  private boolean isInflated(byte[] bytes) {
    return inflater.inflate(bytes, 0, bytes.length, into) == 0;
  }

  @Test
  void inflate_randomCodes_areAcceptedIfZlibAcceptsThem() {
    SplittableRandom random = new SplittableRandom(1);
    int accepted = 0;
    for (int round = 0; round < 100_000; round++) {
      int size = 257 + random.nextInt(32); // up to 288, where 286 is the most
      int[] literals =
          complete(random, size, 1 + random.nextInt(random.nextInt(5) == 0 ? 3 : size));
      if (literals[END_OF_BLOCK] == 0 && random.nextInt(10) != 0) {
        for (int i = 0; i < size && literals[END_OF_BLOCK] == 0; i++) {
          literals[END_OF_BLOCK] = literals[i];
          literals[i] = 0;
        }
      }
      int[] distances = complete(random, 1 + random.nextInt(32), 1);
      if (random.nextBoolean()) {
        distances = complete(random, distances.length, 1 + random.nextInt(distances.length));
      }
      if (random.nextInt(3) == 0) {
        int[] changed = random.nextBoolean() ? literals : distances;
        changed[random.nextInt(changed.length)] = random.nextInt(16);
      }
      byte[] block = block(literals, distances);
      boolean byZlib = ZlibStreams.inflate(block, 4096) != null;
      assertThat(isInflated(block)).as("round %d", round).isEqualTo(byZlib);
      accepted += byZlib ? 1 : 0;
    }
    System.out.printf("inflater: %d of 100000 pairs of codes are accepted%n", accepted);
    assertThat(accepted).isBetween(30_000, 95_000);
  }

  /** Literal a, then a match of three bytes from one or two bytes before, in the fixed code. */
  @Test
  void inflate_matchThatBeginsBeforeTheContents_isRefused() {
    for (int distance = 1; distance <= 2; distance++) {
      put(0x78, 8);
      put(0x9c, 8);
      put(3, 3);
      put(Integer.reverse(0x30 + 'a') >>> 24, 8);
      put(Integer.reverse(1) >>> 25, 7);
      put(Integer.reverse(distance - 1) >>> 27, 5);
      put(0, 7);
      byte[] sound = ZlibStreams.withChecksum(finish(), 100);
      int length = inflater.inflate(sound, 0, sound.length, into);
      assertThat(length).isEqualTo(distance == 1 ? 4 : StreamInflater.NOT_INFLATED);
      assertThat(ZlibStreams.inflate(sound, 100) != null).isEqualTo(distance == 1);
    }
  }
}
