package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/** Gives datagrams to the intake, over UDP or a Unix socket. On the event loop of StatsD. */
final class DatagramHandler extends ChannelInboundHandlerAdapter {
  private final StatsdIntake intake;
  private final StatsdSocket socket;
  private final String label;
  private final byte[] bytes = new byte[StatsdIntake.MOST_BYTES];

  DatagramHandler(StatsdIntake intake, StatsdSocket socket) {
    this.intake = intake;
    this.socket = socket;
    this.label = socket.label();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      take(((ByteBufHolder) message).content(), message);
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void take(ByteBuf content, Object message) {
    int length = Math.min(content.readableBytes(), bytes.length);
    boolean isCut = content.readableBytes() > bytes.length;
    content.readBytes(bytes, 0, length);
    Object from = from(message);
    if (isCut) { // What comes behind the last line feed is half a line, perhaps of half a number.
      int end = length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      intake.notKept(NotKept.TRUNCATED, bytes, end, length, from);
      length = end;
    }
    intake.take(bytes, length, socket, from);
  }

  /** No text is made of it before the log needs one; a Unix socket without a path has none. */
  private Object from(Object message) {
    Object sender = message instanceof AddressedEnvelope<?, ?> packet ? packet.sender() : null;
    if (sender == null) {
      return label;
    }
    return socket == StatsdSocket.UDP || !sender.toString().isEmpty() ? sender : label;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemory.endIfIn(cause);
    System.getLogger(DatagramHandler.class.getName())
        .log(System.Logger.Level.ERROR, "event=statsd_failed socket={0}", label, cause);
  }
}
