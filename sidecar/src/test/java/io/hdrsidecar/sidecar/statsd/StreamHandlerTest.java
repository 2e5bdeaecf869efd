package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamHandlerTest {
  private final CountingIntake counting = new CountingIntake();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new StreamHandler(counting.intake, counting.share));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void read_framesInPiecesOfAnySize_countsEachOnce(long seed) {
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < 50; i++) {
      write(all, "a:" + i + "|d\nb:1|ms");
    }
    SplittableRandom random = new SplittableRandom(seed);
    while (all.isReadable()) {
      channel.writeInbound(
          all.readRetainedSlice(random.nextInt(1, 1 + Math.min(40, all.readableBytes()))));
    }
    counting.intake.tick();

    assertThat(counting.count("a")).isEqualTo(50);
    assertThat(counting.sum("a")).isEqualTo("1225");
    assertThat(counting.count("b")).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65_537, -1, Integer.MIN_VALUE})
  void read_aLengthThatCannotBe_endsTheConnection(int length) {
    channel.writeInbound(
        Unpooled.buffer()
            .writeIntLE(length)
            .writeBytes("a:1|d".getBytes(StandardCharsets.US_ASCII)));

    assertThat(channel.isOpen()).isFalse();
    assertThat(counting.metric("statsd.not_kept", "bad_frame")).isEqualTo(1);
  }

  @Test
  void close_inTheMiddleOfAFrame_givesItsMemoryBack() {
    channel.writeInbound(Unpooled.buffer().writeIntLE(10_000).writeByte('a'));
    assertThat(counting.share.heldBytes()).isGreaterThan(10_000);

    assertThat(channel.close().isSuccess()).isTrue();
    assertThat(counting.share.heldBytes()).isZero();
  }

  private static void write(ByteBuf into, String frame) {
    byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
    into.writeIntLE(bytes.length).writeBytes(bytes);
  }
}
