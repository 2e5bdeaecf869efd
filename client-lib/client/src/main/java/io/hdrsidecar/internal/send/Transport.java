package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of one connection, non-blocking: as they are ({@link PlainTransport}) or encrypted
 * ({@link TlsTransport}). Client thread only.
 */
interface Transport {
  /**
   * Reads what has arrived and fits.
   *
   * @return how many bytes; -1 when the other end has closed
   */
  int read(ByteBuffer into) throws IOException;

  /** Whether {@link #read} has more to give, although the socket has not. */
  boolean hasUnread();

  /**
   * Takes bytes to be sent.
   *
   * @return how many were taken; 0 when the socket is full, or not ready for ours yet
   */
  int write(ByteBuffer from) throws IOException;

  /** Sends what was taken and has not been sent. */
  void flush() throws IOException;

  /** Whether bytes that were taken, or are the transport's own, wait for room in the socket. */
  boolean hasUnsent();

  /** Whether {@link #write} takes bytes when the socket has room. */
  boolean isReady();

  /** Says that nothing more comes, if the transport has a way to. Does not close the socket. */
  void finish();
}
