package io.hdrsidecar.sidecar.access;

import io.hdrsidecar.sidecar.memory.HeapShare;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what connections hold whose TLS handshake is not over. The servers hear of a connection
 * only then, so each silent one would be memory that nobody counts, for ten seconds.
 *
 * <p>When there are many, the oldest from the address that has most of them is closed for each that
 * comes; while those that are being closed are many, too, nothing is accepted, and who comes waits
 * in the kernel's queue. Any thread.
 */
@Sharable
public final class Handshakes extends ChannelInboundHandlerAdapter {
  /** 5 kB measured for a connection that sends nothing, 22 kB for a hello without an end. */
  private static final long BYTES = 24 << 10;

  /** The part of the share that is for handshakes where there is TLS. */
  private static final int PART = 4;

  private static final int LEAST = 16;

  /** Of a server that reads HTTP/2 behind what Vert.x takes for HTTP/1. */
  private static final AttributeKey<Boolean> WITH_HTTP2 =
      AttributeKey.valueOf(Handshakes.class, "http2");

  private final HeapShare share;
  private final int most;
  private final Map<Handshake, String> open = new LinkedHashMap<>(); // in order of age
  private final Set<Handshake> leaving = new HashSet<>();
  private final Set<Channel> waiting = new HashSet<>();
  private boolean isReserved;

  /**
   * Counts none yet.
   *
   * @param share a part of it is taken by the first server that speaks TLS
   */
  public Handshakes(HeapShare share) {
    this.share = share;
    this.most = (int) Math.max(LEAST, share.maxBytes() / PART / BYTES);
  }

  /** The transport of the JDK, whose servers with TLS ask here. */
  public Transport transport() {
    NioTransport asking =
        new NioTransport() {
          @Override
          public void configure(
              NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(options, domainSocket, bootstrap);
            if (options.isSsl()) {
              reserve();
              bootstrap.handler(Handshakes.this);
              if (options instanceof HttpServerOptions http
                  && http.getAlpnVersions().contains(HttpVersion.HTTP_2)) {
                bootstrap.attr(WITH_HTTP2, true);
              }
            }
          }
        };
    return new TransportInternal("nio", true, null, asking);
  }

  private synchronized void reserve() {
    if (!isReserved) {
      isReserved = share.tryTake(most * BYTES);
    }
  }

  /** A connection was accepted; nothing has been made for it yet. */
  @Override
  public void channelRead(ChannelHandlerContext server, Object accepted) {
    begins((Channel) accepted, server.channel());
    server.fireChannelRead(accepted);
  }

  private synchronized void begins(Channel channel, Channel server) {
    Handshake handshake = new Handshake(server.hasAttr(WITH_HTTP2));
    open.put(handshake, peer(channel));
    channel.pipeline().addLast(handshake);
    channel.closeFuture().addListener(closed -> over(handshake));
    if (open.size() > most / 2) {
      share.countRefused();
      RemotePeers.oldestOfMost(open).ifPresent(this::end);
    }
    if (open.size() + leaving.size() >= most) {
      waiting.add(server);
      server.config().setAutoRead(false);
    }
  }

  private void end(Handshake handshake) {
    open.remove(handshake);
    leaving.add(handshake);
    handshake.leave();
  }

  /** HTTP/2 for clients that offer it, as gRPC must; others go on without a word, as before. */
  private static String protocol(SSLEngine engine, List<String> offered) {
    return offered.contains("h2") ? "h2" : offered.contains("http/1.1") ? "http/1.1" : "";
  }

  private static String peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? RemotePeers.nameOf(address.getAddress().getHostAddress())
        : RemotePeers.nameOf(null);
  }

  private synchronized void over(Handshake handshake) {
    if (open.remove(handshake) != null || leaving.remove(handshake)) {
      waiting.forEach(server -> server.config().setAutoRead(true));
      waiting.clear();
    }
  }

  /** First in the connection's pipeline, so that its end need not wait for TLS's farewell. */
  private final class Handshake extends ChannelInboundHandlerAdapter {
    private volatile @Nullable ChannelHandlerContext context;
    private volatile boolean isLeaving;
    private boolean isRead;
    private final boolean withHttp2;

    Handshake(boolean withHttp2) {
      this.withHttp2 = withHttp2;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
      if (isLeaving) {
        close(added);
      }
    }

    void leave() {
      isLeaving = true;
      ChannelHandlerContext known = context;
      if (known != null) {
        close(known);
      }
    }

    private static void close(ChannelHandlerContext context) {
      context.close().addListener(closed -> {}); // none waits for it
    }

    /** What makes the handshake is there when the first bytes have come. */
    @Override
    public void channelRead(ChannelHandlerContext reading, Object bytes) {
      if (!isRead) {
        isRead = true;
        SslHandler tls = reading.pipeline().get(SslHandler.class);
        if (withHttp2) {
          tls.engine().setHandshakeApplicationProtocolSelector(Handshakes::protocol);
        }
        tls.handshakeFuture().addListener(done -> over(this));
      }
      reading.fireChannelRead(bytes);
    }
  }
}
