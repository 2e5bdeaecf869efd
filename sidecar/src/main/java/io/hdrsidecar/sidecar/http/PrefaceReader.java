package io.hdrsidecar.sidecar.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the reader of HTTP/1 until it is known whether that is spoken. What begins
 * otherwise than the preface is handed on as soon as that is known, and this goes away. One for
 * each connection; its event loop only.
 */
final class PrefaceReader extends ChannelInboundHandlerAdapter {
  private final ByteBuf preface;
  private final Predicate<ChannelHandlerContext> other;
  private @Nullable ByteBuf held;

  /**
   * Has read nothing.
   *
   * @param preface of the other protocol
   * @param other called when it was read, to put what reads it behind this; false if the connection
   *     ends
   */
  PrefaceReader(byte[] preface, Predicate<ChannelHandlerContext> other) {
    this.preface = Unpooled.wrappedBuffer(preface);
    this.other = other;
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
      if (!other.test(context)) {
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
