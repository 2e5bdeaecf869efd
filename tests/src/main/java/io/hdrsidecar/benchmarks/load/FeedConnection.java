package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.sidecar.transport.FrameConnection;
import java.io.IOException;

/**
 * One client connection with series of its own, which sends them an interval each in turn, as fast
 * as the protocol allows: never more unanswered than WELCOME says. One thread; {@link #settled} is
 * for any.
 */
final class FeedConnection implements AutoCloseable {
  private static final int SEND_BYTES = 64 << 10;

  private final FrameConnection connection;
  private final IntervalPool pool;
  private final int series;
  private long sent;
  private long sentValues;
  private volatile long settled;

  /** Connects, says HELLO and declares its series, the first of which has this number. */
  FeedConnection(String address, IntervalPool pool, int firstSeries, int series)
      throws IOException {
    this.pool = pool;
    this.series = series;
    connection = new FrameConnection(address);
    for (int i = 0; i < series; i++) {
      connection.out().series(i, IntervalPool.definition(firstSeries + i));
    }
    connection.flush();
  }

  /** Sends the next series an interval of the second that ends now, when there is room for it. */
  void send(long nowMillis) throws IOException {
    while (sent - settled >= connection.welcome().maxInFlight()) {
      connection.flush();
      settled = connection.awaitSettled();
    }
    IntervalHeader figures = pool.figures(sent, nowMillis);
    sent++;
    sentValues += figures.count();
    connection.out().interval(sent, (int) (sent % series), figures, pool.payload(sent - 1));
    if (connection.out().size() >= SEND_BYTES) {
      connection.flush();
    }
  }

  /** Waits until all that was sent is settled. */
  void awaitSettled() throws IOException {
    connection.flush();
    while (settled < sent) {
      settled = connection.awaitSettled();
    }
  }

  /** Intervals the sidecar has acknowledged. */
  long settled() {
    return settled;
  }

  /** Intervals sent. */
  long sent() {
    return sent;
  }

  /** Values in them. */
  long sentValues() {
    return sentValues;
  }

  /** Says GOODBYE. */
  @Override
  public void close() throws IOException {
    connection.close();
  }
}
