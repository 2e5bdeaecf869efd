package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.http.ConnectionWatch.Http2Watch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.impl.ShutdownEvent;
import org.jspecify.annotations.Nullable;

/** A connection with its streams, each of them a request. Its event loop only. */
final class Http2Connection extends Http2ConnectionHandler {
  /**
   * What one takes of the heap without any request, beyond one of HTTP/1: 13.5 kB measured, with a
   * table of headers that is full.
   */
  static final long BYTES = 16 << 10;

  /** Requests at a time; a Collector's exporter sends 10. */
  private static final int MAX_STREAMS = 32;

  /** Pings and settings that wait to be acknowledged to one who reads nothing. */
  private static final int MAX_CONTROL_FRAMES = 200;

  private final PropertyKey key;
  private final ContextInternal context;
  private final Handler<Http2Request> handler;
  private final Http2Watch watch;
  private @Nullable ChannelHandlerContext leaving;
  private boolean isEnding;

  private Http2Connection(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      ContextInternal context,
      Handler<Http2Request> handler,
      Http2Watch watch) {
    super(decoder, encoder, settings, true);
    this.key = connection().newKey();
    this.context = context;
    this.handler = handler;
    this.watch = watch;
    Frames frames = new Frames();
    connection().addListener(frames);
    decoder.frameListener(frames);
  }

  /**
   * Makes what reads a connection, from its preface on.
   *
   * @param handler gets each request when its headers are read, and must read its body, or answer,
   *     before it returns
   */
  static Http2Connection create(
      int maxHeaderBytes,
      ContextInternal context,
      Handler<Http2Request> handler,
      Http2Watch watch) {
    DefaultHttp2Connection connection = new DefaultHttp2Connection(true, 0);
    // Also before the peer says that it has read our settings, which it may never do.
    connection.remote().maxActiveStreams(MAX_STREAMS);
    connection
        .remote()
        .flowController( // What tells streams apart by weight would remember the dead.
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    final class Builder extends AbstractHttp2ConnectionHandlerBuilder<Http2Connection, Builder> {
      /** Resets by either side, and frames without content, have limits that Netty sets itself. */
      Http2Connection of() {
        connection(connection);
        initialSettings(
            new Http2Settings()
                .maxConcurrentStreams(MAX_STREAMS)
                .maxHeaderListSize(maxHeaderBytes));
        encoderEnforceMaxQueuedControlFrames(MAX_CONTROL_FRAMES);
        // Answers leave nothing in a table, whose size the peer would choose.
        headerSensitivityDetector(Http2HeadersEncoder.ALWAYS_SENSITIVE);
        return build();
      }

      @Override
      protected Http2Connection build(
          Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        return new Http2Connection(decoder, encoder, settings, context, handler, watch);
      }
    }

    return new Builder().of();
  }

  private @Nullable Http2Request request(@Nullable Http2Stream stream) {
    return stream == null ? null : stream.getProperty(key);
  }

  /** What comes. */
  private final class Frames extends Http2EventAdapter {
    @Override
    public void onHeadersRead(
        ChannelHandlerContext channel,
        int id,
        Http2Headers headers,
        int padding,
        boolean endOfStream) {
      Http2Stream stream = connection().stream(id);
      Http2Request known = request(stream);
      if (known != null) {
        context.dispatch(() -> known.ended()); // Trailers, which Netty takes only at the end.
        return;
      }
      Http2Request request =
          new Http2Request(new Answers(channel, stream), headers, watch.began(), watch.nanoTime());
      stream.setProperty(key, request);
      context.dispatch(
          () -> {
            handler.handle(request);
            request.forgetHeaders();
            if (endOfStream) {
              request.ended();
            }
          });
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext channel,
        int id,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean endOfStream) {
      onHeadersRead(channel, id, headers, padding, endOfStream);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext channel, int id, ByteBuf data, int padding, boolean endOfStream) {
      int all = data.readableBytes() + padding;
      Http2Request request = request(connection().stream(id));
      if (request != null) {
        context.dispatch(
            () -> {
              request.received(data);
              if (endOfStream) {
                request.ended();
              }
            });
      }
      return all;
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      Http2Request request = request(stream);
      if (request != null) {
        context.dispatch(() -> request.closed());
      }
      leaveIfDone();
    }
  }

  private void leaveIfDone() {
    if (leaving != null && connection().numActiveStreams() == 0) {
      unawaited(leaving.close());
    }
  }

  /** What comes of it shows in the stream, or the connection. */
  private static void unawaited(ChannelFuture done) {
    done.addListener(ended -> {});
  }

  /** The way back of one request. */
  final class Answers {
    private final ChannelHandlerContext channel;
    private final Http2Stream stream;

    private Answers(ChannelHandlerContext channel, Http2Stream stream) {
      this.channel = channel;
      this.stream = stream;
    }

    /** Sends an answer, whole; without a body the headers are its end. */
    void send(Http2Headers headers, byte @Nullable [] body, @Nullable Http2Headers trailers) {
      int id = stream.id();
      unawaited(encoder().writeHeaders(channel, id, headers, 0, body == null, promise()));
      if (body != null) {
        ByteBuf bytes = Unpooled.wrappedBuffer(body);
        unawaited(encoder().writeData(channel, id, bytes, 0, trailers == null, promise()));
      }
      if (trailers != null) {
        unawaited(encoder().writeHeaders(channel, id, trailers, 0, true, promise()));
      }
      Http2Connection.this.flush(channel);
    }

    private ChannelPromise promise() {
      return channel.newPromise();
    }

    void reset(Http2Error error) {
      unawaited(resetStream(channel, stream.id(), error.code(), promise()));
      Http2Connection.this.flush(channel);
    }

    /** Its place is free again. */
    void ended() {
      watch.ended();
    }
  }

  /** About once a second: ends requests that are too slow. */
  void sweep(long nowNanos) {
    try {
      connection()
          .forEachActiveStream(
              stream -> {
                Http2Request request = request(stream);
                if (request != null
                    && !stream.isResetSent()
                    && watch.isTooSlow(request, nowNanos)) {
                  watch.countTooSlow();
                  request.reset(Http2Error.CANCEL);
                }
                return true;
              });
    } catch (Http2Exception e) {
      throw new IllegalStateException(e); // None of the above throws it.
    }
  }

  /** The server ends: no further requests, and the connection ends with the last answer. */
  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) throws Exception {
    if (event instanceof ShutdownEvent end && end.timeout() > 0) {
      leaving = channel;
      int last = connection().remote().lastStreamCreated();
      unawaited(
          goAway(
              channel,
              last,
              Http2Error.NO_ERROR.code(),
              Unpooled.EMPTY_BUFFER,
              channel.newPromise()));
      flush(channel);
      leaveIfDone();
    } else {
      super.userEventTriggered(channel, event);
    }
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext channel,
      boolean isOutbound,
      Throwable cause,
      @Nullable Http2Exception error) {
    if (!isEnding && error != null && error.error() == Http2Error.ENHANCE_YOUR_CALM) {
      watch.countTooMany();
    }
    isEnding = true; // What was sent meanwhile is as wrong, and still read.
    super.onConnectionError(channel, isOutbound, cause, error);
  }
}
