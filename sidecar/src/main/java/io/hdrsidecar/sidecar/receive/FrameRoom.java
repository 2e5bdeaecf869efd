package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.memory.HeapShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of ingest's share that connections and frames that are not whole yet may hold.
 *
 * <p>A connection takes its part when it is accepted, a quarter of the share in all. A frame longer
 * than the usual buffer takes its length before that is allocated; where there is no room its
 * connection waits, and is not read from. Those that have had intervals merged come before others,
 * short frames before long ones. A connection that has room and does not fill it while others wait
 * has to give it up ({@link #isOverdue}). So whole frames get through, however many begin and stop.
 * Merge context only.
 */
final class FrameRoom {
  /** Objects of socket, channel and session, measured at 7 KiB, the usual buffer, its first ids. */
  static final long CONNECTION_BYTES =
      (8 << 10) + ReceiveBuffer.USUAL_BYTES + DeclaredIds.OWN_BYTES;

  /** The same with TLS: the engine, and a record in and one out. */
  static final long TLS_CONNECTION_BYTES = CONNECTION_BYTES + (64 << 10);

  /** A read's worth that waits for its frame's room. */
  static final int READ_BYTES = 16 << 10;

  private static final long LEAST_PATIENCE_NANOS = 2_000_000_000L;
  private static final long PATIENCE_NANOS_A_MIB = 4_000_000_000L;

  private final HeapShare share;
  private final HeapShare buffers;
  private final HeapShare connections;
  private final List<FrameIntake> waiting = new ArrayList<>();
  private final List<FrameIntake> displaced = new ArrayList<>();

  FrameRoom(IngestShares shares) {
    this.share = shares.frames();
    this.buffers = share.atMost(share.maxBytes() - shares.waitingBytes());
    this.connections = shares.connections();
  }

  /** What a connection holds. */
  static long bytesOf(boolean withTls) {
    return withTls ? TLS_CONNECTION_BYTES : CONNECTION_BYTES;
  }

  /** How many more connections that hold so many bytes there is room for. */
  long roomFor(long bytes) {
    return connections.freeBytes() / bytes;
  }

  /** Takes what a connection holds; false when there is no room for one more. */
  boolean tryConnect(long bytes) {
    return connections.tryTake(bytes);
  }

  /** A connection is gone. */
  void disconnect(long bytes) {
    connections.release(bytes);
  }

  /** Takes room for a frame, unless there is none, or others wait that come first. */
  boolean tryTake(long bytes) {
    return waiting.isEmpty() && buffers.tryTakeUncounted(bytes);
  }

  /**
   * Lets it wait for room. Where no more can wait, the last of those that it comes before gives way
   * to it, and is told so by the next {@link #serve}.
   *
   * @return whether it may; otherwise not even what was read of it can be kept
   */
  boolean await(FrameIntake intake) {
    if (!share.tryTakeUncounted(READ_BYTES)) {
      share.countRefused();
      FrameIntake last = last();
      if (last == null || !intake.comesBefore(last)) {
        return false;
      }
      waiting.remove(last);
      displaced.add(last);
    }
    waiting.add(intake);
    return true;
  }

  private @Nullable FrameIntake last() {
    FrameIntake last = null;
    for (FrameIntake each : waiting) {
      last = last == null || last.comesBefore(each) ? each : last;
    }
    return last;
  }

  /** It waits no longer, as its connection has ended. */
  void forget(FrameIntake intake) {
    if (waiting.remove(intake)) {
      share.release(READ_BYTES);
    }
  }

  /** Gives room back. The next {@link #serve} serves those that wait for it. */
  void release(long bytes) {
    buffers.release(bytes);
  }

  /** Gives room to those who wait, as far as there is any; they go on reading at once. */
  void serve() {
    endDisplaced();
    for (FrameIntake next = first(); next != null; next = first()) {
      if (!buffers.tryTakeUncounted(next.wantedBytes())) {
        return;
      }
      forget(next);
      next.granted();
      endDisplaced();
    }
  }

  private void endDisplaced() {
    while (!displaced.isEmpty()) {
      displaced.remove(displaced.size() - 1).refuse();
    }
  }

  private @Nullable FrameIntake first() {
    FrameIntake first = null;
    for (FrameIntake each : waiting) {
      first = first == null || each.comesBefore(first) ? each : first;
    }
    return first;
  }

  /** Whether a frame that has had room for so long must give it up: others wait. */
  boolean isOverdue(long bytes, long heldNanos) {
    return !waiting.isEmpty()
        && heldNanos > LEAST_PATIENCE_NANOS + PATIENCE_NANOS_A_MIB / (1 << 20) * bytes;
  }
}
