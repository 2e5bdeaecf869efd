package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Exemplar;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExemplarExtensionTest {
  private static final Exemplar EXEMPLAR =
      new Exemplar(1_500_000, 1_760_000_000_123L, "4bf92f", "00f0");

  /** By hand, from the table in PROTOCOL.md. */
  private static final byte[] GOLDEN =
      HexFormat.of()
          .parseHex(
              "01" // type
                  + "001c" // 28 bytes follow
                  + "000000000016e360" // 1,500,000
                  + "00000199c82cc07b" // milliseconds
                  + "06" // length of the trace id
                  + "346266393266" // 4bf92f
                  + "04" // length of the span id
                  + "30306630"); // 00f0

  @Test
  void put_anExemplar_givesTheBytesOfTheProtocol() {
    ByteBuffer out = ByteBuffer.allocate(100);

    ExemplarExtension.put(EXEMPLAR, out);

    assertThat(Arrays.copyOf(out.array(), out.position())).isEqualTo(GOLDEN);
    assertThat(ExemplarExtension.bytes(EXEMPLAR)).isEqualTo(GOLDEN.length);
  }

  @Test
  void find_behindUnknownExtensions_isTheExemplar() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {99, 0, 2, 7, 7, 50, 0, 0});
    bytes.writeBytes(GOLDEN);

    assertThat(find(bytes.toByteArray())).isEqualTo(EXEMPLAR);
  }

  @Test
  void find_bytesCutAnywhere_isNone() {
    for (int length = 0; length < GOLDEN.length; length++) {
      assertThat(find(Arrays.copyOf(GOLDEN, length))).as("%d bytes", length).isNull();
    }
  }

  @Test
  void find_anyByteChanged_isAnExemplarWithinItsLimitsOrNone() {
    for (int at = 0; at < GOLDEN.length; at++) {
      for (int value = 0; value < 256; value++) {
        byte[] damaged = GOLDEN.clone();
        damaged[at] = (byte) value;
        Exemplar found = find(damaged); // its constructor checks the limits
        assertThat(found == null || found.traceId().length() <= GOLDEN.length).isTrue();
      }
    }
    byte[] newline = GOLDEN.clone();
    newline[20] = '\n';
    assertThat(find(newline)).isNull();
    byte[] negative = GOLDEN.clone();
    negative[3] = (byte) 0x80;
    assertThat(find(negative)).isNull();
  }

  @Test
  void interval_withAndWithoutExemplar_isReadAgain() throws Exception {
    ByteBuffer payload = ByteBuffer.wrap(new byte[] {1, 2, 3});
    FrameEncoder encoder = new FrameEncoder();
    encoder.interval(1, 2, Frames.FIGURES, payload.duplicate(), EXEMPLAR);
    encoder.interval(2, 2, Frames.FIGURES, payload.duplicate());
    ByteBuffer in = ByteBuffer.wrap(encoder.take());
    FrameDecoder decoder = new FrameDecoder(1000);
    IntervalFrame frame = new IntervalFrame();

    assertThat(decoder.next(in)).isTrue();
    decoder.interval(frame);
    assertThat(frame.exemplar()).isEqualTo(EXEMPLAR);
    assertThat(frame.payloadLength()).isEqualTo(3);
    assertThat(decoder.next(in)).isTrue();
    decoder.interval(frame);
    assertThat(frame.exemplar()).isNull();
  }

  private static @Nullable Exemplar find(byte[] bytes) {
    return ExemplarExtension.find(ByteBuffer.wrap(bytes), 0, bytes.length);
  }
}
