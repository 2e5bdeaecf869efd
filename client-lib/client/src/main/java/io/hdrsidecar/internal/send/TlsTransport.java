package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * A socket's bytes through TLS.
 *
 * <p>{@link SSLEngine} turns plain bytes into records and back, and says what it needs next: a task
 * run, a record wrapped, a record unwrapped. Nothing here waits for the socket, so the handshake
 * moves on whenever {@link #read} or {@link #flush} is called, as far as the bytes at hand allow;
 * until it is done {@link #write} takes nothing. Tasks (the check of the other side's certificates)
 * run on the calling thread: a few milliseconds for each connection.
 */
final class TlsTransport implements Transport {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Content types of the two records a server may answer a ClientHello with (RFC 8446, 5.1). */
  private static final byte ALERT = 21;

  private static final byte HANDSHAKE = 22;

  private final SocketChannel channel;
  private final SSLEngine engine;

  /** Records as received; filled at its position. */
  private final ByteBuffer recordsIn;

  /** Records to be sent; read from its position. */
  private final ByteBuffer recordsOut;

  /** What the last record held; read from its position. */
  private ByteBuffer plainIn;

  private boolean heard;
  private boolean ended;
  private boolean unread;

  /**
   * A transport that has not begun to talk.
   *
   * @param engine for the client's side, knowing the host's name
   */
  TlsTransport(SocketChannel channel, SSLEngine engine) throws SSLException {
    this.channel = channel;
    this.engine = engine;
    int recordBytes = engine.getSession().getPacketBufferSize();
    this.recordsIn = ByteBuffer.allocate(2 * recordBytes);
    this.recordsOut = ByteBuffer.allocate(recordBytes).limit(0);
    this.plainIn = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
    engine.beginHandshake();
  }

  @Override
  public boolean isReady() {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean hasUnread() {
    return unread;
  }

  @Override
  public boolean hasUnsent() {
    return recordsOut.hasRemaining();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int start = into.position();
    try {
      do {
        move(plainIn, into);
      } while (into.hasRemaining() && receive());
    } catch (SSLException e) {
      sayWhy();
      throw e;
    }
    unread = !into.hasRemaining();
    int length = into.position() - start;
    return length == 0 && ended ? -1 : length;
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int length = Math.min(from.remaining(), to.remaining());
    to.put(to.position(), from, from.position(), length);
    to.position(to.position() + length);
    from.position(from.position() + length);
  }

  /** Takes in one record, or more bytes of it; false when there is nothing to go on with. */
  private boolean receive() throws IOException {
    if (ended) {
      return false;
    }
    plainIn.clear();
    recordsIn.flip();
    SSLEngineResult result;
    try {
      result = engine.unwrap(recordsIn, plainIn);
    } finally {
      recordsIn.compact();
      plainIn.flip();
    }
    return switch (result.getStatus()) {
      case BUFFER_UNDERFLOW -> readRecords();
      case BUFFER_OVERFLOW -> {
        plainIn = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
        yield true;
      }
      case CLOSED -> {
        ended = true;
        respond();
        yield false;
      }
      case OK -> {
        respond();
        // Asked to unwrap while it wants to wrap, the engine would do neither, again and again.
        yield engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP;
      }
    };
  }

  private boolean readRecords() throws IOException {
    int length = channel.read(recordsIn);
    if (length < 0) {
      ended = true;
    }
    if (length > 0 && !heard) {
      heard = true;
      requireTls(recordsIn.get(0));
    }
    return length > 0;
  }

  private static void requireTls(byte firstByte) throws SSLException {
    if (firstByte != HANDSHAKE && firstByte != ALERT) {
      throw new SSLException("no TLS is spoken there; is the address tcp:// instead of tls://?");
    }
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    flush();
    int start = from.position();
    while (from.hasRemaining() && !recordsOut.hasRemaining() && isReady()) {
      if (wrap(from) == Status.CLOSED) {
        throw new SSLException("closed by the sidecar");
      }
    }
    return from.position() - start;
  }

  @Override
  public void flush() throws IOException {
    try {
      respond();
    } catch (SSLException e) {
      sayWhy();
      throw e;
    }
    sendRecords();
  }

  /** Does what the engine asks for and what needs no bytes from the other side. */
  private void respond() throws IOException {
    while (true) {
      HandshakeStatus wanted = engine.getHandshakeStatus();
      if (wanted == HandshakeStatus.NEED_TASK) {
        engine.getDelegatedTask().run();
      } else if (wanted != HandshakeStatus.NEED_WRAP
          || !sendRecords()
          || wrap(NOTHING) == Status.CLOSED) {
        return;
      }
    }
  }

  /** One record, for which there must be room. */
  private Status wrap(ByteBuffer plain) throws IOException {
    recordsOut.clear();
    Status status;
    try {
      status = engine.wrap(plain, recordsOut).getStatus();
    } finally {
      recordsOut.flip();
    }
    sendRecords();
    return status;
  }

  private boolean sendRecords() throws IOException {
    if (recordsOut.hasRemaining()) {
      channel.write(recordsOut);
    }
    return !recordsOut.hasRemaining();
  }

  /** The engine has failed and has an alert for the other side, which can then say why in a log. */
  private void sayWhy() {
    try {
      if (sendRecords()) {
        wrap(NOTHING);
      }
    } catch (IOException e) {
      return; // The failure that brought us here is the one to report.
    }
  }

  @Override
  public void finish() {
    engine.closeOutbound();
    sayWhy();
  }
}
