package io.hdrsidecar.sidecar.inflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads are answered alike, with this inflater and by zlib alone, down to the sentence. */
class InflatedPayloadsTest {
  private static final int MAX_COUNTERS = 1 << 16;
  private static final int ROOM = 1 << 20;
  private static final int HEADER_BYTES = 8;

  private final HistogramDecoder byZlib = new HistogramDecoder(MAX_COUNTERS);
  private final HistogramDecoder faster = new HistogramDecoder(MAX_COUNTERS, new StreamInflater());
  private final DecodedHistogram decoded = new DecodedHistogram();

  @AfterEach
  void freeDecoders() {
    byZlib.close();
    faster.close();
  }

  private static byte[] raw(SplittableRandom random) {
    int digits = random.nextInt(4);
    Histogram histogram = new Histogram(1L << 36, digits);
    int values = 1 << random.nextInt(12);
    for (int i = 0; i < values; i++) {
      histogram.recordValueWithCount(random.nextLong(1L << random.nextInt(1, 36)), 1 + i % 300);
    }
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    return Arrays.copyOf(bytes.array(), histogram.encodeIntoByteBuffer(bytes));
  }

  private static void flip(byte[] bytes, SplittableRandom random) {
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
  }

  /**
   * A quarter each: sound, lies that no checksum sees, damage that it sees, and one it does not.
   */
  private static byte[] payload(SplittableRandom random) {
    int kind = random.nextInt(4);
    byte[] contents = raw(random);
    if (kind == 1) {
      flip(contents, random);
    }
    byte[] stream = ZlibStreams.deflate(contents, random);
    if (kind >= 2) {
      flip(stream, random);
      stream = kind == 2 ? stream : ZlibStreams.withChecksum(stream, ROOM);
    }
    int behind = random.nextInt(3) == 0 ? random.nextInt(20) : 0;
    return ByteBuffer.allocate(HEADER_BYTES + stream.length + behind)
        .putInt(0x1c849314)
        .putInt(stream.length - (random.nextInt(20) == 0 ? 1 : 0))
        .put(stream)
        .array();
  }

  private String answer(HistogramDecoder decoder, byte[] payload) {
    try {
      decoder.decode(payload, 0, payload.length, decoded);
    } catch (MalformedFrameException refused) {
      return refused.reason() + ": " + refused.getMessage();
    }
    StringBuilder counts = new StringBuilder().append(decoded.layout());
    counts.append(decoded.highestTrackableValue());
    for (int i = 0; i < decoded.counts().size(); i++) {
      counts.append(' ').append(decoded.counts().indexAt(i));
      counts.append(':').append(decoded.counts().countAt(i));
    }
    return counts.toString();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void decode_soundAndDamagedPayloads_isAnsweredAsByZlibAlone(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    for (int round = 0; round < 1_000; round++) {
      byte[] payload = payload(random);
      String expected = answer(byZlib, payload);
      assertThat(answer(faster, payload)).as("seed %d, round %d", seed, round).isEqualTo(expected);
      refused += expected.startsWith("BAD_PAYLOAD") ? 1 : 0;
    }
    assertThat(refused).isBetween(250, 750);
  }
}
