package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread that turns waits for its socket or the next deadline. That thread, but for {@link
 * #wake}.
 */
public final class SocketWait {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier ticker;
  private volatile @Nullable Selector selector;

  /** Of a clock that nobody sets, in nanoseconds. */
  public SocketWait(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** What sockets are registered with, until {@link #close}. */
  public Selector selector() throws IOException {
    Selector current = selector;
    if (current == null) {
      current = Selector.open();
      selector = current;
    }
    return current;
  }

  /** Any thread: ends the wait under way, or else the next. */
  public void wake() {
    Selector current = selector;
    if (current != null) {
      current.wakeup();
    }
  }

  /** For so long at most; not at all if that is 0 or less. Tells the session what is ready. */
  public void await(Session session, long nanos) throws IOException {
    Selector current = selector();
    if (nanos <= 0) {
      current.selectNow(key -> session.onReady(ticker.getAsLong()));
    } else {
      long millis = (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
      current.select(key -> session.onReady(ticker.getAsLong()), millis);
    }
  }

  /** The next wait has a selector of its own. */
  public void close(StateLog log) {
    Selector current = selector;
    selector = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        log.failure("selector could not be closed", e);
      }
    }
  }

  /** Of two times of the ticker. */
  public static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
