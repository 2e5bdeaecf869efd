package io.hdrsidecar.sidecar.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the reader of HTTP/1 until it is known whether that is spoken. What begins
 * otherwise than HTTP/2 is handed on as soon as that is known, and this goes away. One for each
 * connection; its event loop only.
 */
final class PrefaceReader extends ChannelInboundHandlerAdapter {
  /** RFC 9113, 3.4. */
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final ByteBuf preface =
      Unpooled.wrappedBuffer(PREFACE.getBytes(StandardCharsets.US_ASCII));

  private final Predicate<ChannelHandlerContext> http2;
  private @Nullable ByteBuf held;

  /**
   * Has read nothing.
   *
   * @param http2 called when the preface was read, to put what reads HTTP/2 behind this; false if
   *     the connection ends
   */
  PrefaceReader(Predicate<ChannelHandlerContext> http2) {
    this.http2 = http2;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf piece)) {
      context.fireChannelRead(message);
      return;
    }
    ByteBuf all = held == null ? piece : Unpooled.wrappedBuffer(held, piece);
    held = all;
    int known = Math.min(all.readableBytes(), preface.readableBytes());
    if (!ByteBufUtil.equals(all, all.readerIndex(), preface, 0, known)) {
      handOn(context);
    } else if (known == preface.readableBytes()) {
      if (!http2.test(context)) {
        drop();
      }
      handOn(context);
    }
  }

  private void handOn(ChannelHandlerContext context) {
    ByteBuf all = held;
    held = null;
    if (all != null) {
      context.fireChannelRead(all);
    }
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    context.fireChannelInactive();
  }

  private void drop() {
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
