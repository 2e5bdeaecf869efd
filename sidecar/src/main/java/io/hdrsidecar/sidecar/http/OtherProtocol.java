package io.hdrsidecar.sidecar.http;

import io.netty.channel.ChannelHandler;

/**
 * A protocol besides HTTP/1 that is spoken at the port of a server, such as HTTP/2: a connection
 * that begins with its preface is read by what this makes. Event loop of the server only.
 */
public interface OtherProtocol {
  /** With these bytes each of its connections begins, and no request of HTTP/1. */
  byte[] preface();

  /** What a connection takes of the heap without any request, beyond one of HTTP/1. */
  long connectionBytes();

  /** What a request takes of the heap while it is answered, without its body. */
  long requestBytes();

  /**
   * Makes what reads a connection, from its preface on.
   *
   * @param watch must be told of each request
   */
  ProtocolReader open(Watch watch);

  /** Reads a connection. One for each. */
  interface ProtocolReader extends ChannelHandler {
    /**
     * About once a second: to end what has stood still for too long.
     *
     * @param nowNanos of the clock of {@link Watch#nanoTime}
     */
    void sweep(long nowNanos);
  }

  /** What a connection tells the watch of all connections. */
  interface Watch {
    /**
     * A request has come, up to the end of its headers.
     *
     * @return whether there is a place for it; only then must {@link #ended} follow
     */
    boolean began();

    /** A request that had a place was answered, or has gone. */
    void ended();

    /** A request was ended that was too slow. */
    void countTooSlow();

    /** The connection is ended because it sends too many of something. */
    void countTooMany();

    /** A clock like System::nanoTime. */
    long nanoTime();

    /**
     * Whether a request is too slow.
     *
     * @param nanos since its headers
     * @param bodyBytes how many bytes of its body have come
     * @param isWhole whether that is all of it
     */
    boolean isTooSlow(long nanos, long bodyBytes, boolean isWhole);
  }
}
