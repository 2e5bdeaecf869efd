package io.hdrsidecar.sidecar.inflate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The inflater for whole streams against zlib: both ways, whatever the stream. */
class StreamInflaterTest {
  private static final int ROOM = 1 << 16;

  private final StreamInflater inflater = new StreamInflater();
  private final byte[] into = new byte[ROOM];

  private byte @Nullable [] inflate(byte[] stream) {
    return inflate(stream, stream.length);
  }

  private byte @Nullable [] inflate(byte[] stream, int length) {
    int inflated = inflater.inflate(stream, 0, length, into);
    return inflated == StreamInflater.NOT_INFLATED ? null : Arrays.copyOf(into, inflated);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void inflate_randomStreamsOfAllLevelsAndStrategies_yieldsWhatWasDeflated(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 6_000; round++) {
      byte[] contents = ZlibStreams.contents(random);
      byte[] stream = ZlibStreams.deflate(contents, random);
      byte @Nullable [] found = inflate(stream);
      if (!Arrays.equals(found, contents)) {
        assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(contents);
      }
    }
  }

  /** One to three bits changed, and the checksum of what the stream is now. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void inflate_damagedStreams_agreesWithZlib(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int accepted = 0;
    for (int round = 0; round < 10_000; round++) {
      byte[] damaged = ZlibStreams.deflate(ZlibStreams.contents(random), random);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        // The codes are at the beginning, and most of what can be wrong is in them.
        int end = random.nextBoolean() ? damaged.length : Math.min(damaged.length, 100);
        damaged[random.nextInt(1, end)] ^= (byte) (1 << random.nextInt(8));
      }
      damaged = random.nextInt(10) == 0 ? damaged : ZlibStreams.withChecksum(damaged, ROOM);
      byte @Nullable [] expected = ZlibStreams.inflate(damaged, ROOM - StreamInflater.SPARE_BYTES);
      byte @Nullable [] found = inflate(damaged);
      if (!Arrays.equals(found, expected)) {
        assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(expected);
      }
      accepted += found == null ? 0 : 1;
    }
    System.out.printf("inflater: %d of 10000 damaged streams have another meaning%n", accepted);
    assertThat(accepted).isBetween(1_250, 9_750);
  }

  /** Behind each cut lies the rest, both in the array and in what the inflater had before. */
  @Test
  void inflate_everyTruncation_isRefused() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 100; round++) {
      byte[] stream = ZlibStreams.deflate(ZlibStreams.contents(random), random);
      assertThat(inflate(stream)).isNotNull();
      for (int length = 0; length < stream.length; length++) {
        if (inflate(stream, length) != null) {
          assertThat(inflate(stream, length)).as("first %d of %s", length, round).isNull();
        }
      }
      assertThat(inflate(Arrays.copyOf(stream, stream.length + 20))).isNotNull();
    }
  }

  @Test
  void inflate_fromTheMiddleOfAnArray_yieldsTheSame() {
    SplittableRandom random = new SplittableRandom(8);
    byte[] contents = ZlibStreams.contents(random);
    byte[] stream = ZlibStreams.deflate(contents, random);
    byte[] source = new byte[stream.length + 30];
    System.arraycopy(stream, 0, source, 13, stream.length);
    assertThat(inflater.inflate(source, 13, 13 + stream.length, into)).isEqualTo(contents.length);
    assertThat(Arrays.copyOf(into, contents.length)).isEqualTo(contents);
  }

  @Test
  void inflate_withoutRoom_isRefusedAndWithSpareBytesIsNot() {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 2000; round++) {
      byte[] contents = ZlibStreams.contents(random);
      byte[] stream = ZlibStreams.deflate(contents, random);
      byte[] enough = new byte[contents.length + StreamInflater.SPARE_BYTES];
      assertThat(inflater.inflate(stream, 0, stream.length, enough)).isEqualTo(contents.length);
      byte[] less = new byte[random.nextInt(contents.length + 1)];
      assertThat(inflater.inflate(stream, 0, stream.length, less))
          .isEqualTo(StreamInflater.NOT_INFLATED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "78, 9c, true, true",
    "78, 01, true, true",
    "78, 9d, false, false",
    "78, bb, false, false", // needs a dictionary
    "79, 97, false, false",
    "58, 85, false, true" // a smaller window: left to zlib
  })
  void inflate_headerOfZlib_isReadOnlyIfUsual(
      String method, String flags, boolean usual, boolean byZlib) {
    byte[] stream = ZlibStreams.deflate(new byte[100], new SplittableRandom(10));
    stream[0] = (byte) Integer.parseInt(method, 16);
    stream[1] = (byte) Integer.parseInt(flags, 16);
    assertThat(inflate(stream) != null).isEqualTo(usual);
    assertThat(ZlibStreams.inflate(stream, 1000) != null).isEqualTo(byZlib);
  }
}
