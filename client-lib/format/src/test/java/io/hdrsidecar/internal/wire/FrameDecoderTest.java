package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.series.Labels;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every reason for which a frame is refused before anyone acts on it. */
class FrameDecoderTest {
  private final FrameDecoder decoder = new FrameDecoder(1000);

  private AbstractThrowableAssert<?, ?> assertRefused(byte[] bytes, RejectReason reason) {
    return assertThatThrownBy(() -> Frames.readAll(decoder, ByteBuffer.wrap(bytes)))
        .isInstanceOfSatisfying(
            MalformedFrameException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static byte[] body(byte[] frame) {
    return Arrays.copyOfRange(frame, 8, frame.length - 4);
  }

  @Test
  void next_anotherProtocol_isRefusedByItsFirstEightBytes() {
    assertRefused(
            "GET /metrics HTTP/1.1".getBytes(StandardCharsets.US_ASCII), RejectReason.BAD_HEADER)
        .hasMessageContaining("47455420 2f6d6574");
  }

  @Test
  void next_reservedByteSet_isRefused() {
    byte[] frame = CraftedFrame.of(5, new byte[8]);
    frame[5] = 1;
    assertRefused(frame, RejectReason.BAD_HEADER);
  }

  @Test
  void next_bodyAtTheLimit_isReadAndOneByteMoreRefusedBeforeItArrives() throws Exception {
    assertThat(decoder.next(ByteBuffer.wrap(CraftedFrame.of(7, new byte[1000])))).isTrue();
    byte[] longer = Arrays.copyOf(CraftedFrame.of(7, new byte[1001]), 8);
    assertRefused(longer, RejectReason.FRAME_TOO_LARGE).hasMessageEndingWith("1000 bytes: 1001");
    assertThatThrownBy(() -> decoder.bytesNeeded(ByteBuffer.wrap(longer)))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void next_lengthAboveTwoGigabytes_isRefusedAsThatLength() {
    ByteBuffer header = ByteBuffer.allocate(8).putInt(-1).put((byte) 5).put((byte) 0);
    header.putShort((short) FrameHeader.check(new CRC32C(), header, 0));
    assertRefused(header.array(), RejectReason.FRAME_TOO_LARGE).hasMessageEndingWith("4294967295");
  }

  @Test
  void next_damagedBody_isRefused() {
    byte[] frame = new FrameEncoder().ack(77).take();
    frame[12] ^= 1;
    assertRefused(frame, RejectReason.BAD_CRC);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 15, 16, 255})
  void next_typeThatDoesNotExist_isRefused(int type) {
    assertRefused(CraftedFrame.of(type, new byte[8]), RejectReason.UNKNOWN_FRAME)
        .hasMessage("frame type must be 1..8: " + type);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, (1 << 30) + 1, Integer.MAX_VALUE})
  void new_limitThatMakesLengthsOverflow_isRefused(int maxBodyBytes) {
    assertThatThrownBy(() -> new FrameDecoder(maxBodyBytes))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(FrameType.class)
  void frame_bodyCutAnywhere_isRefusedAsTooShort(FrameType type) throws Exception {
    ByteBuffer stream = ByteBuffer.wrap(Frames.everyKind().take());
    while (stream.hasRemaining()) {
      int start = stream.position();
      decoder.next(stream);
      if (decoder.type() == type) {
        byte[] body = body(Arrays.copyOfRange(stream.array(), start, stream.position()));
        for (int length = 0; length < body.length; length++) {
          byte[] cut = CraftedFrame.of(type.code(), Arrays.copyOf(body, length));
          assertRefused(cut, RejectReason.BAD_FRAME);
        }
      }
    }
  }

  @Test
  void interval_payloadLongerThanTheBody_isRefused() {
    byte[] body =
        body(
            new FrameEncoder().interval(1, 1, Frames.FIGURES, ByteBuffer.wrap(new byte[5])).take());
    for (int length : new int[] {6, Integer.MAX_VALUE, -1}) {
      ByteBuffer.wrap(body).putInt(68, length);
      assertRefused(CraftedFrame.of(4, body), RejectReason.BAD_FRAME)
          .hasMessageContaining("payload of INTERVAL must fit");
    }
  }

  private static Arguments damage(FrameType type, int offset, int value, RejectReason reason) {
    return Arguments.of(type, offset, value, reason);
  }

  /** One byte of the body of a good frame, and what to put there. */
  static Stream<Arguments> damages() {
    return Stream.of(
        damage(FrameType.HELLO, 0, 'h', RejectReason.BAD_MAGIC),
        damage(FrameType.HELLO, 5, 2, RejectReason.UNSUPPORTED_VERSION),
        damage(FrameType.HELLO, 5, 0, RejectReason.UNSUPPORTED_VERSION),
        damage(FrameType.HELLO, 23, 33, RejectReason.BAD_SERIES),
        damage(FrameType.HELLO, 26, '-', RejectReason.BAD_SERIES),
        damage(FrameType.HELLO, 26, 0xff, RejectReason.BAD_FRAME),
        damage(FrameType.WELCOME, 2, 0x80, RejectReason.BAD_FRAME),
        damage(FrameType.WELCOME, 10, 0x80, RejectReason.BAD_FRAME),
        damage(FrameType.WELCOME, 14, 0x80, RejectReason.BAD_FRAME),
        damage(FrameType.WELCOME, 18, 10, RejectReason.BAD_FRAME),
        damage(FrameType.WELCOME, 18, 0xff, RejectReason.BAD_FRAME),
        damage(FrameType.SERIES, 4, 0, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 4, 7, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 5, 6, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 5, 0xff, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 13, 0, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 14, 0x80, RejectReason.BAD_SERIES),
        damage(FrameType.SERIES, 24, '{', RejectReason.BAD_SERIES),
        damage(FrameType.ACK, 0, 0x80, RejectReason.BAD_FRAME),
        damage(FrameType.REJECT, 0, 3, RejectReason.BAD_FRAME),
        damage(FrameType.HEALTH, 1, 65, RejectReason.BAD_FRAME),
        damage(FrameType.HEALTH, 4, '"', RejectReason.BAD_FRAME));
  }

  @ParameterizedTest(name = "{0} byte {1} = {2}: {3}")
  @MethodSource("damages")
  void frame_oneByteThatMakesNoSense_isRefused(
      FrameType type, int offset, int value, RejectReason reason) throws Exception {
    byte[] body = body(goodFrame(type));
    assertThat(Frames.readAll(decoder, ByteBuffer.wrap(CraftedFrame.of(type.code(), body))))
        .hasSize(1);
    body[offset] = (byte) value;
    assertRefused(CraftedFrame.of(type.code(), body), reason);
  }

  private static byte[] goodFrame(FrameType type) {
    FrameEncoder encoder = new FrameEncoder();
    return switch (type) {
      case HELLO -> encoder.hello(Frames.HELLO).take();
      case WELCOME -> encoder.welcome(Frames.WELCOME).take();
      case SERIES -> encoder.series(1, Frames.DEFINITION).take();
      case ACK -> encoder.ack(1).take();
      case REJECT ->
          encoder.reject(Frame.Reject.Scope.SERIES, 1, RejectReason.BAD_SERIES, "no").take();
      case HEALTH -> encoder.health(Map.of("resent", 1L)).take();
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  @Test
  void seriesId_ofADefinitionThatCannotBeRead_isThereForTheRefusal() throws Exception {
    byte[] body = body(new FrameEncoder().series(77, Frames.DEFINITION).take());
    body[5] = 9;
    decoder.next(ByteBuffer.wrap(CraftedFrame.of(3, body)));
    assertThatThrownBy(decoder::frame).isInstanceOf(MalformedFrameException.class);
    assertThat(decoder.seriesId()).isEqualTo(77);
    decoder.next(ByteBuffer.wrap(CraftedFrame.of(3, new byte[3])));
    assertThat(decoder.seriesId()).isZero();
  }

  @Test
  void hello_ofAVersionToCome_isRefusedAndSaysWhatToDo() {
    byte[] frame =
        new FrameEncoder().hello(new Frame.Hello(2, Frames.INSTANCE, Labels.empty(), "")).take();
    assertRefused(frame, RejectReason.UNSUPPORTED_VERSION)
        .hasMessageContaining("must be 1: 2; use a client and a sidecar of the same major version");
  }
}
