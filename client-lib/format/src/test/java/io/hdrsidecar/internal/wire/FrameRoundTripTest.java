package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is written is read again, however the bytes arrive. */
class FrameRoundTripTest {
  private final FrameDecoder decoder = new FrameDecoder(Frames.MAX_BODY_BYTES);

  @Test
  void next_everyKindOfFrame_readsWhatWasWritten() throws Exception {
    byte[] bytes = Frames.everyKind().take();
    List<Object> frames = Frames.readAll(decoder, ByteBuffer.wrap(bytes));
    assertThat(frames).hasSize(13);
    assertThat(frames.subList(0, 3))
        .containsExactly(
            Frames.HELLO,
            new Frame.Hello(1, new InstanceId(-1, 0), Labels.empty(), ""),
            Frames.WELCOME);
    assertThat(frames.get(4)).isEqualTo(new Frame.Series(1, Frames.DEFINITION));
    assertThat(frames.get(5))
        .isEqualTo(Frames.Interval.of(1, 1, Frames.FIGURES, new byte[] {1, 2, 3}));
    assertThat(frames.get(9))
        .isEqualTo(new Frame.Reject(Frame.Reject.Scope.SERIES, 9, 10, "é\ud83d\ude00"));
    assertThat(Frames.write(frames)).isEqualTo(bytes);
  }

  @Test
  void next_streamCutAnywhere_readsTheSameFramesInTwoParts() throws Exception {
    byte[] bytes = Frames.everyKind().take();
    List<Object> whole = Frames.readAll(decoder, ByteBuffer.wrap(bytes));
    for (int cut = 0; cut <= bytes.length; cut++) {
      ByteBuffer in = ByteBuffer.wrap(bytes).limit(cut);
      List<Object> frames = new ArrayList<>(Frames.readAll(decoder, in));
      in.limit(bytes.length);
      frames.addAll(Frames.readAll(decoder, in));
      assertThat(frames).as("cut at %d", cut).isEqualTo(whole);
      assertThat(in.hasRemaining()).isFalse();
    }
  }

  @Test
  void next_byteByByte_tellsHowManyBytesTheFrameNeeds() throws Exception {
    byte[] bytes = new FrameEncoder().ack(77).take();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    for (int arrived = 0; arrived < bytes.length; arrived++) {
      in.limit(arrived);
      assertThat(decoder.next(in)).isFalse();
      assertThat(decoder.bytesNeeded(in)).isEqualTo(arrived < 8 ? 0 : bytes.length);
    }
    assertThat(decoder.next(in.limit(bytes.length))).isTrue();
  }

  @Test
  void next_fromASliceOfALargerArray_readsTheSame() throws Exception {
    byte[] bytes = Frames.everyKind().take();
    byte[] larger = new byte[bytes.length + 20];
    System.arraycopy(bytes, 0, larger, 9, bytes.length);
    ByteBuffer slice = ByteBuffer.wrap(larger, 9, bytes.length).slice();
    assertThat(Frames.write(Frames.readAll(decoder, slice))).isEqualTo(bytes);
  }

  @Test
  void series_largestDefinition_isReadAgain() throws Exception {
    Map<String, String> labels = new TreeMap<>();
    IntStream.range(0, Labels.MAX_LABELS).forEach(i -> labels.put("l" + i, "€".repeat(1024)));
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey("x".repeat(200), Labels.of(labels)),
            Unit.BYTES,
            "€".repeat(1024),
            BucketLayout.of(1L << 40, 5),
            Long.MAX_VALUE);
    byte[] bytes = new FrameEncoder().series(-1, definition).take();
    assertThat(Frames.readAll(decoder, ByteBuffer.wrap(bytes)))
        .containsExactly(new Frame.Series(-1, definition));
  }

  @Test
  void reject_longMessage_isCutTo512Characters() throws Exception {
    byte[] bytes =
        new FrameEncoder()
            .reject(Frame.Reject.Scope.CONNECTION, 0, RejectReason.IDLE, "x".repeat(9999))
            .take();
    assertThat(Frames.readAll(decoder, ByteBuffer.wrap(bytes)))
        .containsExactly(new Frame.Reject(Frame.Reject.Scope.CONNECTION, 0, 22, "x".repeat(512)));
  }

  @Test
  void hello_tokenThatDoesNotFit_isRefusedAndLeavesTheFramesBefore() throws Exception {
    FrameEncoder encoder = new FrameEncoder().ack(1);
    Frame.Hello tooLong = new Frame.Hello(1, Frames.INSTANCE, Labels.empty(), "x".repeat(0x10000));
    assertThatThrownBy(() -> encoder.hello(tooLong)).hasMessageContaining("at most 65535 bytes");
    assertThatThrownBy(() -> encoder.health(Map.of("no name", 1L)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(encoder.size()).isEqualTo(20);
    encoder.ack(2);
    assertThat(Frames.readAll(decoder, ByteBuffer.wrap(encoder.take())))
        .containsExactly(new Frame.Ack(1), new Frame.Ack(2));
    assertThat(encoder.size()).isZero();
  }

  @Test
  void toString_ofHello_hidesTheTokenAndTheInstance() {
    assertThat(Frames.HELLO.toString())
        .contains("a8faed6abbf35c12a4b26e40f6feb19d") // of its SHA-256
        .doesNotContain("00112233445566778899aabbccddeeff")
        .doesNotContain("secret");
  }

  @Test
  void helloAndWelcome_betweenSidecars_areReadAsWritten() throws Exception {
    Frame.Hello hello =
        new Frame.Hello(
            1, Frames.INSTANCE, Labels.empty(), "secret", Labels.of("pod", "shop-1", "zone", "b"));
    Frame.Hello without = new Frame.Hello(1, Frames.INSTANCE, Labels.empty(), "", Labels.empty());
    Frame.Welcome welcome =
        new Frame.Welcome(1, 7, 4096, 64, 1, List.of(new InstanceId(1, 2), new InstanceId(-3, 4)));
    byte[] bytes = new FrameEncoder().hello(hello).hello(without).welcome(welcome).take();

    assertThat(Frames.readAll(decoder, ByteBuffer.wrap(bytes)))
        .containsExactly(hello, without, welcome);
    assertThat(without).isNotEqualTo(new Frame.Hello(1, Frames.INSTANCE, Labels.empty(), ""));
  }

  @Test
  void welcome_pathThatIsTooLongOrEndsEarly_isRefused() throws Exception {
    byte[] body = Arrays.copyOf(new byte[] {0, 1}, 19 + 1 + 9 * 16);
    body[13] = 1;
    body[17] = 1;
    for (int[] countAndLength : new int[][] {{9, body.length}, {2, 19 + 1 + 31}}) {
      body[19] = (byte) countAndLength[0];
      byte[] frame =
          CraftedFrame.of(FrameType.WELCOME.code(), Arrays.copyOf(body, countAndLength[1]));
      assertThat(decoder.next(ByteBuffer.wrap(frame))).isTrue();
      assertThatThrownBy(decoder::frame).isInstanceOf(MalformedFrameException.class);
    }
  }

  /** A body may grow at its end in later versions: what is not known is not read. */
  @Test
  void frame_bytesBehindTheKnownOnes_areSkipped() throws Exception {
    for (FrameType type : List.of(FrameType.ACK, FrameType.GOODBYE)) {
      byte[] body = Arrays.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 5}, 30);
      assertThat(decoder.next(ByteBuffer.wrap(CraftedFrame.of(type.code(), body)))).isTrue();
      assertThat(decoder.frame())
          .isEqualTo(type == FrameType.ACK ? new Frame.Ack(5) : new Frame.Goodbye());
    }
  }
}
