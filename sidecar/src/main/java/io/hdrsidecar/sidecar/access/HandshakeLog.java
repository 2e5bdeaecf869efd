package io.hdrsidecar.sidecar.access;

import io.netty.handler.ssl.NotSslRecordException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says that connections end before anything was said on them: a client without a certificate, one
 * that does not trust ours, one that speaks no TLS, a port scanner. One line a minute at most, so
 * that who knocks cannot fill the log.
 */
final class HandshakeLog {
  private static final Logger LOG = System.getLogger(HandshakeLog.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final String listener;
  private final LongSupplier nanoTime;
  private long failures;
  private long told;
  private long toldAtNanos;

  HandshakeLog(String listener, LongSupplier nanoTime) {
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  /** Any thread. */
  synchronized void failed(Throwable failure) {
    failures++;
    long now = nanoTime.getAsLong();
    if (told == 0 || now - toldAtNanos >= QUIET_NANOS) {
      LOG.log(
          Level.WARNING,
          "event=handshake_failed listener={0} more={1} total={2} problem=\"{3}\"",
          listener,
          String.valueOf(failures - told),
          String.valueOf(failures),
          oneLine(failure));
      told = failures;
      toldAtNanos = now;
    }
  }

  private static String oneLine(Throwable failure) {
    // Netty's message has the bytes that came: a request in the clear, perhaps with its token.
    String problem =
        failure instanceof NotSslRecordException
            ? "not an SSL/TLS record: the client speaks without TLS"
            : String.valueOf(failure.getMessage());
    return problem.replaceAll("\\p{Cntrl}", " ");
  }
}
