package io.hdrsidecar.sidecar.http2;

import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.http.OtherProtocol;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import java.nio.charset.StandardCharsets;

/** HTTP/2 at the port of a server. Event loop of the server only. */
public final class Http2 implements OtherProtocol {
  /** Requests at a time on one connection; a Collector's exporter sends 10. */
  static final int MAX_STREAMS = 32;

  /** 13.5 kB measured, with a table of headers that is full. */
  private static final long CONNECTION_BYTES = 16 << 10;

  /** 1.7 kB measured. */
  private static final long REQUEST_BYTES = 2 << 10;

  /** RFC 9113, 3.4. */
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final HttpLimits limits;
  private final ContextInternal context;
  private final Handler<Http2Request> handler;

  /**
   * Takes no connection yet.
   *
   * @param limits of headers, as for HTTP/1
   * @param context of the server; all handlers are called there
   * @param handler gets each request when its headers are read, and must read its body, or answer,
   *     before it returns
   */
  public Http2(HttpLimits limits, Context context, Handler<Http2Request> handler) {
    this.limits = limits;
    this.context = (ContextInternal) context;
    this.handler = handler;
  }

  @Override
  public byte[] preface() {
    return PREFACE.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public long connectionBytes() {
    return CONNECTION_BYTES;
  }

  @Override
  public long requestBytes() {
    return REQUEST_BYTES;
  }

  @Override
  public ProtocolReader open(Watch watch) {
    return Http2Connection.create(limits.maxHeaderBytes(), context, handler, watch);
  }
}
