package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * From the bytes of one connection to its frames. A frame for which there is no room waits in its
 * first bytes, and what was read behind them with it. Merge context only.
 */
final class FrameIntake {
  /** The owner of the bytes. */
  interface Owner {
    /** Whether frames are still looked at. */
    boolean isListening();

    /** Whether intervals of it have been merged: it comes before those of whom nothing is known. */
    boolean hasProved();

    /** A whole frame has been decoded; throws what ends the conversation. */
    void frame(ByteBuffer unread) throws MalformedFrameException;

    /** The bytes are no frame, or there is no room for it: the end. */
    void reject(RejectReason reason, String message);

    /** There is room for the frame that waited: to read on, and then to be read from again. */
    void granted(Runnable readOn);
  }

  private final Owner owner;
  private final FrameDecoder decoder;
  private final FrameRoom room;
  private final LongSupplier nanoTime;
  private final ReceiveBuffer in = new ReceiveBuffer();
  private @Nullable Buffer rest;
  private int restFrom;
  private int wanted;
  private long roomBytes;
  private long roomSinceNanos;

  FrameIntake(Owner owner, FrameDecoder decoder, FrameRoom room, LongSupplier nanoTime) {
    this.owner = owner;
    this.decoder = decoder;
    this.room = room;
    this.nanoTime = nanoTime;
  }

  /** Looks at what has arrived; not while it {@link #isWaiting}. */
  void read(Buffer chunk) {
    read(chunk, 0);
  }

  private void read(Buffer chunk, int from) {
    int taken = from;
    while (taken < chunk.length() && owner.isListening()) {
      taken = in.isEmpty() ? readWhole(chunk, taken) : taken;
      taken += in.fill(chunk, taken);
      int frameBytes = readFrames(in.unread());
      in.keep();
      if (in.isTooSmallFor(frameBytes) && !makeRoom(frameBytes)) {
        await(chunk, taken);
        return;
      }
      if (in.isLargerThanNeeded(frameBytes)) {
        in.resize(frameBytes);
        giveRoomBack();
      }
    }
  }

  /**
   * Frames that have come as a whole are read where they lie: neither copied nor in want of room.
   * Nothing of the chunk is referred to afterwards. A chunk outside the heap is copied all the
   * same.
   *
   * @return where the first begins that has not
   */
  private int readWhole(Buffer chunk, int from) {
    ByteBuffer unread = ReceiveBuffer.view(chunk, from);
    if (unread.hasArray()) {
      readFrames(unread);
      decoder.forget();
    }
    return from + unread.position();
  }

  private int readFrames(ByteBuffer unread) {
    int frameBytes = 0;
    try {
      while (owner.isListening() && decoder.next(unread)) {
        owner.frame(unread);
        roomSinceNanos = roomBytes > 0 ? nanoTime.getAsLong() : 0;
      }
      frameBytes = owner.isListening() ? decoder.bytesNeeded(unread) : 0;
    } catch (MalformedFrameException e) {
      owner.reject(e.reason(), String.valueOf(e.getMessage()));
    }
    return frameBytes;
  }

  private boolean makeRoom(int frameBytes) {
    wanted = frameBytes;
    if (!room.tryTake(wantedBytes())) {
      return false;
    }
    enlarge();
    return true;
  }

  /** Into a new buffer; a former one that was too small for this frame goes. */
  private void enlarge() {
    in.resize(wanted);
    giveRoomBack();
    roomBytes = wantedBytes();
    roomSinceNanos = nanoTime.getAsLong();
  }

  private void await(Buffer chunk, int from) {
    if (room.await(this)) {
      rest = chunk;
      restFrom = from;
    } else {
      refuse();
    }
  }

  /** Not even what was read of its frame can be kept. */
  void refuse() {
    owner.reject(
        RejectReason.MEMORY_LIMIT,
        "no memory for a frame of " + wanted + " bytes now; connect again and send it again");
  }

  /** Bytes of the heap that it waits for. */
  long wantedBytes() {
    return HeapShare.arrayCost(wanted);
  }

  /** Whether a frame waits for room; nothing more may be read meanwhile. */
  boolean isWaiting() {
    return rest != null;
  }

  boolean comesBefore(FrameIntake other) {
    if (owner.hasProved() != other.owner.hasProved()) {
      return owner.hasProved();
    }
    return wanted < other.wanted;
  }

  /** The room it waited for is its own now. */
  void granted() {
    Buffer chunk = rest;
    if (chunk != null) {
      rest = null;
      enlarge();
      owner.granted(() -> read(chunk, restFrom));
    }
  }

  /** Whether it has room for a frame, does not fill it, and others wait. */
  boolean isOverdue(long nowNanos) {
    return roomBytes > 0 && room.isOverdue(roomBytes, nowNanos - roomSinceNanos);
  }

  /** Gives all back; nothing that comes is looked at any more. Idempotent. */
  void end() {
    room.forget(this);
    rest = null;
    in.resizeToNothing();
    giveRoomBack();
  }

  private void giveRoomBack() {
    long bytes = roomBytes;
    roomBytes = 0;
    room.release(bytes);
  }
}
