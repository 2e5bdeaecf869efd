package io.hdrsidecar.sidecar.http2;

import io.hdrsidecar.sidecar.http.OtherProtocol;
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
final class Http2Connection extends Http2ConnectionHandler implements OtherProtocol.ProtocolReader {
  /** Pings and settings that wait to be acknowledged to one who reads nothing. */
  private static final int MAX_CONTROL_FRAMES = 200;

  /** Streams that are given up, by either side, within so many seconds. */
  private static final int MAX_RESETS = 200;

  private static final int RESET_SECONDS = 30;

  private final PropertyKey key;
  private final ContextInternal context;
  private final Handler<Http2Request> handler;
  private final OtherProtocol.Watch watch;
  private @Nullable ChannelHandlerContext leaving;
  private boolean isEnding;

  private Http2Connection(
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings,
      ContextInternal context,
      Handler<Http2Request> handler,
      OtherProtocol.Watch watch) {
    super(decoder, encoder, settings, true);
    this.key = connection().newKey();
    this.context = context;
    this.handler = handler;
    this.watch = watch;
    Frames frames = new Frames();
    connection().addListener(frames);
    decoder.frameListener(frames);
  }

  static Http2Connection create(
      int maxHeaderBytes,
      ContextInternal context,
      Handler<Http2Request> handler,
      OtherProtocol.Watch watch) {
    DefaultHttp2Connection connection = new DefaultHttp2Connection(true, 0);
    // Also before the peer says that it has read our settings, which it may never do.
    connection.remote().maxActiveStreams(Http2.MAX_STREAMS);
    connection
        .remote()
        .flowController( // What tells streams apart by weight would remember the dead.
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    Http2Settings settings =
        new Http2Settings()
            .maxConcurrentStreams(Http2.MAX_STREAMS)
            .maxHeaderListSize(maxHeaderBytes);
    return new Builder(context, handler, watch).of(connection, settings);
  }

  /** Makes it, with limits for what a peer can make us do. */
  private static final class Builder
      extends AbstractHttp2ConnectionHandlerBuilder<Http2Connection, Builder> {
    private final ContextInternal context;
    private final Handler<Http2Request> handler;
    private final OtherProtocol.Watch watch;

    Builder(ContextInternal context, Handler<Http2Request> handler, OtherProtocol.Watch watch) {
      this.context = context;
      this.handler = handler;
      this.watch = watch;
    }

    Http2Connection of(DefaultHttp2Connection connection, Http2Settings settings) {
      connection(connection);
      initialSettings(settings);
      encoderEnforceMaxQueuedControlFrames(MAX_CONTROL_FRAMES);
      decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS);
      encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS);
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
  private final class Answers implements Http2Request.Way {
    private final ChannelHandlerContext channel;
    private final Http2Stream stream;

    Answers(ChannelHandlerContext channel, Http2Stream stream) {
      this.channel = channel;
      this.stream = stream;
    }

    @Override
    public void send(
        Http2Headers headers, byte @Nullable [] body, @Nullable Http2Headers trailers) {
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

    @Override
    public void reset(Http2Error error) {
      unawaited(resetStream(channel, stream.id(), error.code(), promise()));
      Http2Connection.this.flush(channel);
    }

    @Override
    public void ended() {
      watch.ended();
    }
  }

  @Override
  public void sweep(long nowNanos) {
    try {
      connection()
          .forEachActiveStream(
              stream -> {
                Http2Request request = request(stream);
                if (request != null
                    && watch.isTooSlow(
                        nowNanos - request.sinceNanos(),
                        request.receivedBytes(),
                        request.isWhole())) {
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
