package io.hdrsidecar.sidecar.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * Stands before the reader of requests and hands it what arrives in small pieces, each only when it
 * is wanted and was admitted. Without it all that one read brings, which may be thousands of
 * requests, becomes objects at once. One for each connection; its event loop only.
 */
final class InboundGate extends ChannelDuplexHandler {
  private static final int PIECE_BYTES = 2048;

  /** Sent where the next answer would be; the connection ends with it. */
  private static final byte[] TOO_MUCH =
      """
      HTTP/1.1 431 Request Header Fields Too Large\r
      Connection: close\r
      Content-Type: text/plain; charset=utf-8\r
      Content-Length: 63\r
      \r
      too many headers, or requests before their answers; send fewer
      """
          .getBytes(StandardCharsets.US_ASCII);

  private final Predicate<ByteBuf> admits;
  private final Deque<ByteBuf> waiting = new ArrayDeque<>();
  private boolean passing;
  private boolean wanted;
  private boolean refused;

  /**
   * A gate.
   *
   * @param admits asked about each piece; the connection ends at one that is not
   */
  InboundGate(Predicate<ByteBuf> admits) {
    this.admits = admits;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      waiting.add(bytes);
      pass(context);
    } else {
      context.fireChannelRead(message);
    }
  }

  @Override
  public void read(ChannelHandlerContext context) {
    wanted = true;
    pass(context);
    if (wanted && waiting.isEmpty()) {
      wanted = false;
      context.read();
    }
  }

  private void pass(ChannelHandlerContext context) {
    if (passing) {
      return;
    }
    passing = true;
    try {
      while (!waiting.isEmpty() && (wanted || context.channel().config().isAutoRead())) {
        wanted = false;
        passOne(context);
      }
    } finally {
      passing = false;
    }
  }

  private void passOne(ChannelHandlerContext context) {
    ByteBuf first = waiting.element();
    ByteBuf piece =
        first.readableBytes() > PIECE_BYTES
            ? first.readRetainedSlice(PIECE_BYTES)
            : waiting.remove();
    if (!refused && admits.test(piece)) {
      context.fireChannelRead(piece);
      context.fireChannelReadComplete(); // so that a reader that has enough says so
    } else {
      piece.release();
      refuse(context);
    }
  }

  private void refuse(ChannelHandlerContext context) {
    drop();
    if (!refused) {
      refused = true;
      context
          .writeAndFlush(context.alloc().buffer(TOO_MUCH.length).writeBytes(TOO_MUCH))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void drop() {
    waiting.forEach(ByteBuf::release);
    waiting.clear();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
  }
}
