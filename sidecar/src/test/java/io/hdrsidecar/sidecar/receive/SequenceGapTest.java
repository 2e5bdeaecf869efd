package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.Frame.Reject.Scope;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever skips numbers settles them: the bound, over a real socket. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SequenceGapTest {
  private static final long LAST = 5;
  private static final InstanceId ID = new InstanceId(3, 4);

  @ParameterizedTest
  @ValueSource(longs = {LAST + IntervalFrame.MAX_SEQUENCE_GAP + 1, Long.MAX_VALUE})
  void interval_farAboveTheLastNumber_endsTheConnectionAndSettlesNothing(long sequence)
      throws Exception {
    try (RunningServer sidecar = new RunningServer()) {
      try (FrameClient attacker = sidecar.connect()) {
        attacker.hello(ID);
        attacker.series(1, definition("x")).interval(LAST, 1, 5).awaitAck(LAST);
        attacker.interval(sequence, 1, 6);
        assertThat(attacker.next()).isEqualTo(new Frame.Ack(LAST));
        assertThat(attacker.rejectedWith(Scope.CONNECTION)).isEqualTo(RejectReason.SEQUENCE_GAP);
        attacker.awaitClose();
      }

      try (FrameClient honest = sidecar.connect()) {
        assertThat(honest.hello(ID).lastSequence()).isEqualTo(LAST);
        honest.series(1, definition("x")).interval(LAST + 1, 1, 7).awaitAck(LAST + 1);
      }
      assertThat(sidecar.total("x").count()).isEqualTo(2);
    }
  }

  @Test
  void interval_asFarAboveAsMayBe_isMerged() throws Exception {
    long next = LAST + IntervalFrame.MAX_SEQUENCE_GAP;
    try (RunningServer sidecar = new RunningServer();
        FrameClient client = sidecar.connect()) {
      client.hello(ID);
      client.series(1, definition("x")).interval(LAST, 1, 5).interval(next, 1, 6).awaitAck(next);

      assertThat(sidecar.total("x").count()).isEqualTo(2);
    }
  }

  /** A sidecar that was restarted without a journal knows nobody; its clients are at any number. */
  @Test
  void interval_firstOfAnInstance_mayHaveAnyNumber() throws Exception {
    try (RunningServer sidecar = new RunningServer();
        FrameClient client = sidecar.connect()) {
      client.hello(ID);
      client.series(1, definition("x")).interval(1L << 40, 1, 5).awaitAck(1L << 40);

      assertThat(sidecar.total("x").count()).isEqualTo(1);
    }
  }
}
