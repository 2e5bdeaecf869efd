package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Connections with frames that are not whole, in the 2.3 MiB that a heap of 31 MiB has for them.
 */
class FrameRoomTest {
  private static final int LONG = 500 << 10;
  private static final int SHORT = 10 << 10;

  private final HeapShare share = HeapBudget.of(31L << 20).share(Use.INGEST);
  private final FrameRoom room = new FrameRoom(IngestShares.of(share, false));
  private long nowNanos;

  private final class Connection implements FrameIntake.Owner {
    final FrameIntake intake =
        new FrameIntake(this, new FrameDecoder(1 << 20), room, () -> nowNanos);
    final List<Integer> frames = new ArrayList<>();
    @Nullable RejectReason rejected;
    boolean proved;

    @Override
    public boolean isListening() {
      return rejected == null;
    }

    @Override
    public boolean hasProved() {
      return proved;
    }

    @Override
    public void frame(ByteBuffer unread) {
      frames.add(frames.size() + 1);
    }

    @Override
    public void reject(RejectReason reason, String message) {
      rejected = reason;
      intake.end();
    }

    @Override
    public void granted(Runnable readOn) {
      readOn.run();
    }

    void send(byte[] frame, int from, int to) {
      for (int sent = from; sent < to && !intake.isWaiting(); sent += 16 << 10) {
        intake.read(
            Buffer.buffer(Arrays.copyOfRange(frame, sent, Math.min(to, sent + (16 << 10)))));
      }
    }
  }

  private static byte[] frame(int payload) {
    return new FrameEncoder()
        .interval(
            1,
            1,
            new IntervalHeader(0, 0, 1, SumMinMax.of(0, 0, true, 0, 0)),
            ByteBuffer.allocate(payload))
        .take();
  }

  private Connection unfinished(int payload) {
    Connection connection = new Connection();
    byte[] frame = frame(payload);
    connection.send(frame, 0, frame.length - 1);
    return connection;
  }

  @Test
  void read_moreLongFramesThanThereIsRoomFor_waitInTheirFirstBytes() {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(unfinished(LONG));
    }

    assertThat(share.heldBytes()).isLessThanOrEqualTo(share.maxBytes());
    List<Connection> waiting = all.stream().filter(each -> each.intake.isWaiting()).toList();
    List<Connection> rejected = all.stream().filter(each -> each.rejected != null).toList();
    assertThat(waiting.size() * FrameRoom.READ_BYTES).isBetween(140_000, 530_000);
    assertThat(rejected).allMatch(each -> each.rejected == RejectReason.MEMORY_LIMIT);
    assertThat(20 - waiting.size() - rejected.size()).isEqualTo(1); // 1 MB is for long frames
  }

  /** The one part for those that wait is full of others, who have proved nothing. */
  @Test
  void await_noMoreCanWait_whoComesLastGivesWay() {
    List<Connection> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      others.add(unfinished(LONG));
    }
    room.serve();
    long waited = others.stream().filter(each -> each.intake.isWaiting()).count();
    Connection honest = new Connection();
    honest.proved = true;
    byte[] frame = frame(SHORT);

    honest.send(frame, 0, frame.length - 1);
    room.serve();

    assertThat(honest.rejected).isNull();
    assertThat(others.stream().filter(each -> each.intake.isWaiting()).count())
        .isEqualTo(waited - 1);
    others.stream().filter(each -> each.rejected == null).toList().get(0).intake.end();
    room.serve();
    honest.send(frame, frame.length - 1, frame.length);
    assertThat(honest.frames).hasSize(1);
  }

  @Test
  void framesThatAreNotWhole_leaveSeriesIdsTheirShare() {
    IngestShares shares = IngestShares.of(share, false);
    room.tryConnect(share.maxBytes() / 4);
    for (int i = 0; i < 300; i++) {
      unfinished(i % 2 == 0 ? LONG : SHORT);
    }

    assertThat(shares.ids().tryTake(share.maxBytes() / 16 * 2)).isTrue();
    assertThat(shares.clients().tryTake(share.maxBytes() / 16)).isTrue();
  }

  @Test
  void read_framesInTheUsualBuffer_needNoRoom() {
    while (share.tryTake(1000)) {}

    Connection usual = new Connection();
    byte[] hello =
        new FrameEncoder()
            .hello(new Frame.Hello(FrameEncoder.VERSION, new InstanceId(1, 2), Labels.empty(), ""))
            .take();
    usual.send(hello, 0, hello.length);

    assertThat(usual.frames).hasSize(1);
  }

  /** Also behind one that came in parts, and that had room for itself only. */
  @Test
  void read_frameThatHasComeWhole_needsNoRoom() {
    Connection connection = new Connection();
    byte[] first = frame(3_000);
    byte[] whole = frame(9_000);
    byte[] both = ByteBuffer.allocate(first.length + whole.length).put(first).put(whole).array();
    connection.send(both, 0, 100);
    while (share.tryTake(1000)) {}

    connection.send(both, 100, both.length);

    assertThat(connection.rejected).isNull();
    assertThat(connection.frames).hasSize(2);
  }

  @Test
  void read_chunkOutsideTheHeap_isReadAsAnyOther() {
    Connection connection = new Connection();
    byte[] frame = frame(5_000);

    connection.intake.read(BufferInternal.buffer(Unpooled.directBuffer().writeBytes(frame)));

    assertThat(connection.frames).hasSize(1);
  }

  @Test
  void serve_roomIsFree_goesToWhoHasProvedThenToTheShortest() {
    List<Connection> holding = new ArrayList<>();
    while (holding.isEmpty() || !holding.get(holding.size() - 1).intake.isWaiting()) {
      holding.add(unfinished(LONG));
    }
    Connection shorter = unfinished(SHORT);
    Connection proved = new Connection();
    proved.proved = true;
    byte[] frame = frame(LONG + 1);
    proved.send(frame, 0, frame.length - 1);
    assertThat(shorter.intake.isWaiting()).isTrue(); // behind who was there first, for now

    holding.get(0).intake.end();
    room.serve();

    assertThat(proved.intake.isWaiting()).isFalse();
  }

  @Test
  void isOverdue_onlyWhileOthersWait_andLongerForLongerFrames() {
    Connection first = unfinished(LONG);
    nowNanos += 60_000_000_000L;
    assertThat(first.intake.isOverdue(nowNanos)).isFalse();

    List<Connection> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(unfinished(LONG));
    }

    assertThat(first.intake.isOverdue(nowNanos)).isTrue();
    assertThat(others.get(0).intake.isOverdue(nowNanos + 3_000_000_000L)).isFalse();
  }

  @Test
  void end_ofAll_givesEverythingBack() {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      all.add(unfinished(i % 2 == 0 ? LONG : SHORT));
    }
    all.forEach(each -> each.intake.end());
    room.serve();

    assertThat(share.heldBytes()).isZero();
  }

  @Test
  void read_wholeFrameAfterItWaited_isDelivered() {
    List<Connection> holding = new ArrayList<>();
    while (holding.isEmpty() || !holding.get(holding.size() - 1).intake.isWaiting()) {
      holding.add(unfinished(LONG));
    }
    Connection last = holding.get(holding.size() - 1);
    byte[] frame = frame(LONG);

    holding.get(0).intake.end();
    room.serve();
    last.send(frame, 16 << 10, frame.length);

    assertThat(last.rejected).isNull();
    assertThat(last.frames).hasSize(1);
  }

  @Test
  void tryConnect_takesAQuarterOfTheShareAtMost() {
    int connections = 0;
    while (room.tryConnect(FrameRoom.CONNECTION_BYTES)) {
      connections++;
    }

    assertThat(connections * FrameRoom.CONNECTION_BYTES)
        .isBetween(share.maxBytes() / 4 - FrameRoom.CONNECTION_BYTES, share.maxBytes() / 4);
    room.disconnect(FrameRoom.CONNECTION_BYTES);
    assertThat(room.tryConnect(FrameRoom.CONNECTION_BYTES)).isTrue();
  }
}
