package io.hdrsidecar.sidecar.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request on a stream of its own, and the way to answer it. Event loop of the server only. */
public final class Http2Request implements BodySource {
  /** What comes after an answer, and nobody reads, is dropped up to here: it was under way. */
  private static final int MOST_DROPPED = 256 << 10;

  private final Http2Connection.Answers way;
  private final boolean hasPlace;
  private final long sinceNanos;
  private @Nullable Http2Headers headers;
  private @Nullable Handler<Buffer> piece;
  private Runnable end = () -> {};
  private Handler<Throwable> broken = failure -> {};
  private long receivedBytes;
  private boolean isWhole;
  private boolean isAnswered;
  private boolean isClosed;
  private boolean isOver;

  Http2Request(
      Http2Connection.Answers way, Http2Headers headers, boolean hasPlace, long sinceNanos) {
    this.way = way;
    this.headers = headers;
    this.hasPlace = hasPlace;
    this.sinceNanos = sinceNanos;
  }

  /** Whether there is a place for it; if not, it must be answered so at once. */
  public boolean hasPlace() {
    return hasPlace;
  }

  /** In upper case; empty if it says none. */
  public String method() {
    return pseudo(Http2Headers.PseudoHeaderName.METHOD);
  }

  /** With the query, if there is one; empty if it says none. */
  public String path() {
    return pseudo(Http2Headers.PseudoHeaderName.PATH);
  }

  private String pseudo(Http2Headers.PseudoHeaderName name) {
    String value = header(name.value());
    return value == null ? "" : value;
  }

  /**
   * A header, in the first handler only.
   *
   * @param name in lower case
   * @return the first that has this name
   */
  public @Nullable String header(CharSequence name) {
    if (headers == null) {
      throw new IllegalStateException("headers are there for the first handler only");
    }
    CharSequence value = headers.get(name);
    return value == null ? null : value.toString();
  }

  void forgetHeaders() {
    headers = null;
  }

  @Override
  public void read(Handler<Buffer> piece, Runnable end, Handler<Throwable> broken) {
    this.piece = piece;
    this.end = end;
    this.broken = broken;
  }

  @Override
  public void cut() {
    reset(isAnswered ? Http2Error.NO_ERROR : Http2Error.CANCEL);
  }

  void received(ByteBuf data) {
    receivedBytes += data.readableBytes();
    if (piece != null) {
      piece.handle(BufferInternal.buffer(data));
    } else if (receivedBytes > MOST_DROPPED) {
      cut();
    }
  }

  void ended() {
    isWhole = true;
    end.run();
  }

  /** The stream is no more. A request that is whole keeps its place until it is answered. */
  void closed() {
    isClosed = true;
    if (!isWhole) {
      broken.handle(new HttpClosedException("the stream was reset"));
      over();
    } else if (isAnswered) {
      over();
    }
  }

  private void over() {
    if (hasPlace && !isOver) {
      isOver = true;
      way.ended();
    }
  }

  boolean isWhole() {
    return isWhole;
  }

  /** How many bytes of its body have come. */
  public long receivedBytes() {
    return receivedBytes;
  }

  /** When its headers had come, by the clock of the watch. */
  long sinceNanos() {
    return sinceNanos;
  }

  void reset(Http2Error error) {
    if (!isClosed) {
      way.reset(error);
    }
  }

  /**
   * Answers it; nothing happens if nobody is there any more, or if it was answered.
   *
   * @param status of HTTP
   * @param head headers with names in lower case
   * @param body null for none, where the headers are all
   * @param trailers what comes behind the body; empty for none
   */
  public void answer(
      int status, Map<String, String> head, byte @Nullable [] body, Map<String, String> trailers) {
    boolean isFirst = !isAnswered;
    isAnswered = true;
    if (isClosed) {
      over();
    } else if (isFirst) {
      Http2Headers all = headers(head).status(String.valueOf(status));
      way.send(all, body, trailers.isEmpty() ? null : headers(trailers));
    }
  }

  private static Http2Headers headers(Map<String, String> values) {
    Http2Headers headers = new DefaultHttp2Headers();
    values.forEach(headers::set);
    return headers;
  }
}
