package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Every single flipped bit of an INTERVAL frame is noticed: header, figures, payload, trailer. */
class BitFlipTest {
  /** Enough for a frame of three and a half thousand bytes, as a busy series sends. */
  private static final int VALUES = 80_000;

  private static final int PAYLOAD_OFFSET = FrameHeader.BYTES + IntervalFrame.FIXED_BYTES;

  private static final Histogram SENT = histogram();

  private static Histogram histogram() {
    Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
    new SplittableRandom(1).longs(VALUES, 900_000, 30_000_000).forEach(histogram::recordValue);
    return histogram;
  }

  private static byte[] frameOf(byte[] payload) {
    Accumulation counts = new Accumulation(RandomHistograms.layoutOf(SENT));
    counts.counts().add(RandomHistograms.countsOf(SENT));
    return new FrameEncoder()
        .interval(5, 3, IntervalHeader.of(counts, 1000, 2000), ByteBuffer.wrap(payload))
        .take();
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] damaged = bytes.clone();
    damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
    return damaged;
  }

  @Test
  void next_everySingleBitFlipped_yieldsNoFrame() {
    byte[] frame = frameOf(RandomHistograms.deflatedBytesOf(SENT, 6));
    int detected = 0;
    for (int bit = 0; bit < frame.length * 8; bit++) {
      ByteBuffer damaged = ByteBuffer.wrap(flipped(frame, bit));
      assertThatThrownBy(() -> new FrameDecoder(1 << 20).next(damaged))
          .as("bit %d", bit)
          .isInstanceOf(MalformedFrameException.class);
      detected++;
    }
    assertThat(detected).isEqualTo(frame.length * 8);
    System.out.printf(
        "flips: %d flips of a %d byte interval frame: detected %d%n",
        frame.length * 8, frame.length, detected);
  }

  /**
   * What the checksum of the frame is for: without it, HdrHistogram's decoder reads some damaged
   * payloads as other counts, and ours, which insists on the Adler-32, still those few that keep
   * it: bytes that a changed match swaps have the same Adler-32.
   */
  @Test
  void decode_everySingleBitOfTheBarePayloadFlipped_isRefusedMoreOftenThanByHdrHistogram() {
    byte[] payload = RandomHistograms.deflatedBytesOf(SENT, 6);
    Map<Integer, Long> sent = RandomHistograms.bucketsOf(SENT);
    int byHdrHistogram = 0;
    int byOurs = 0;
    for (int bit = 0; bit < payload.length * 8; bit++) {
      byte[] damaged = flipped(payload, bit);
      byHdrHistogram += hdrHistogramReadsOtherCounts(damaged) ? 1 : 0;
      byOurs += isReadAsOtherCounts(damaged, sent) ? 1 : 0;
    }
    System.out.printf(
        "flips: %d flips of its payload of %d bytes alone: HdrHistogram's decoder accepts %d as"
            + " other counts, ours %d%n",
        payload.length * 8, payload.length, byHdrHistogram, byOurs);
    assertThat(byOurs).isLessThan(byHdrHistogram);
  }

  private static boolean isReadAsOtherCounts(byte[] payload, Map<Integer, Long> sent) {
    DecodedHistogram decoded = new DecodedHistogram();
    try (HistogramDecoder decoder = new HistogramDecoder(1 << 20)) {
      decoder.decode(payload, 0, payload.length, decoded);
      return !RandomHistograms.bucketsOf(decoded).equals(sent);
    } catch (MalformedFrameException refused) {
      return false;
    }
  }

  /** Its decoder throws a good dozen kinds of exceptions, and its contract names none of them. */
  private static boolean hdrHistogramReadsOtherCounts(byte[] payload) {
    try {
      return !Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(payload), 0).equals(SENT);
    } catch (Exception refused) {
      return false;
    }
  }

  @Test
  void frame_offsets_areWhereTheProtocolSaysThePayloadIs() {
    byte[] payload = RandomHistograms.rawBytesOf(SENT);
    byte[] frame = frameOf(payload);
    assertThat(frame).hasSize(PAYLOAD_OFFSET + payload.length + FrameHeader.TRAILER_BYTES);
    assertThat(Arrays.copyOfRange(frame, PAYLOAD_OFFSET, PAYLOAD_OFFSET + payload.length))
        .isEqualTo(payload);
  }
}
