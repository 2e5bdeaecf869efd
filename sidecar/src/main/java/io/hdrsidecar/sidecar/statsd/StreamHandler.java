package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the Unix stream socket. DogStatsD's stream is a row of frames, each what a
 * datagram would be, behind its length: 4 bytes, the lowest first. A frame is counted when it is
 * whole; what is left of one at the end of a connection is not. On the event loop of StatsD.
 */
final class StreamHandler extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;

  /** A connection with its channel and its pipeline, as estimated. */
  private static final long CONNECTION_BYTES = 8 << 10;

  private static final String LABEL = StatsdSocket.UNIX_STREAM.label();

  private final StatsdIntake intake;
  private final HeapClaim claim;
  private int lengthBytes;
  private int length;
  private byte @Nullable [] frame;
  private int received;

  StreamHandler(StatsdIntake intake, HeapShare share) {
    this.intake = intake;
    this.claim = share.claim();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (!claim.tryGrow(CONNECTION_BYTES)) {
      end(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    frame = null;
    claim.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      boolean open = true;
      while (open && bytes.isReadable()) {
        open = lengthBytes < LENGTH_BYTES ? readLength(bytes) : readBody(bytes);
      }
      if (!open) {
        end(context);
      }
    } finally {
      bytes.release();
    }
  }

  /** Whether the connection can go on. */
  private boolean readLength(ByteBuf bytes) {
    length |= bytes.readUnsignedByte() << (8 * lengthBytes);
    lengthBytes++;
    if (lengthBytes < LENGTH_BYTES) {
      return true;
    }
    if (length < 1 || length > StatsdIntake.MOST_BYTES) {
      byte[] said = Integer.toUnsignedString(length).getBytes(StandardCharsets.US_ASCII);
      intake.notKept(NotKept.BAD_FRAME, said, 0, said.length, LABEL);
      return false;
    }
    if (!claim.tryGrow(length)) {
      return false;
    }
    frame = new byte[length];
    received = 0;
    return true;
  }

  private boolean readBody(ByteBuf bytes) {
    byte[] into = frame;
    if (into == null) {
      return false;
    }
    int more = Math.min(bytes.readableBytes(), length - received);
    bytes.readBytes(into, received, more);
    received += more;
    if (received == length) {
      intake.take(into, length, StatsdSocket.UNIX_STREAM, LABEL);
      frame = null;
      claim.shrink(length);
      length = 0;
      lengthBytes = 0;
    }
    return true;
  }

  /** Nobody is to be told when that is done, or fails. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void end(ChannelHandlerContext context) {
    context.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemory.endIfIn(cause); // A broken connection ends; who sent on it comes back.
    end(context);
  }
}
