package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.access.RemotePeers;
import io.hdrsidecar.sidecar.http.ConnectionProgress.RequestStage;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All connections of a server: which of them leave when there is no room, and how many requests may
 * be answered at a time. Event loop of the server only.
 */
final class OpenConnections {
  private final HttpLimits limits;
  private final HeapShare share;
  private final int places;
  private final int perPeer;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, ConnectionProgress> open = new LinkedHashMap<>();
  private final LongAdder tooMany;

  /** None yet; the parameters are those of {@link ConnectionWatch}. */
  OpenConnections(
      HttpLimits limits,
      HeapShare share,
      boolean halfForPeer,
      MetricRegistry registry,
      LongSupplier nanoTime) {
    this.limits = limits;
    this.share = share;
    this.places = places(limits, share);
    this.perPeer = halfForPeer ? Math.max(1, places / 2) : places;
    this.nanoTime = nanoTime;
    this.tooMany = ConnectionWatch.counter(registry, "too_many");
  }

  /**
   * How many requests may be answered at a time: half of the share is for headers, and who waits.
   */
  static int places(HttpLimits limits, HeapShare share) {
    return (int)
        Math.max(
            1,
            Math.min(limits.maxConnections(), share.maxBytes() / 2 / ConnectionWatch.PLAIN_BYTES));
  }

  void put(HttpConnection connection, ConnectionProgress progress) {
    open.put(connection, progress);
  }

  boolean any() {
    return !open.isEmpty();
  }

  @Nullable ConnectionProgress get(HttpConnection connection) {
    return open.get(connection);
  }

  boolean has(HttpConnection connection) {
    return open.containsKey(connection);
  }

  /** All of them now, in order of age. */
  List<Map.Entry<HttpConnection, ConnectionProgress>> all() {
    return new ArrayList<>(open.entrySet());
  }

  void countTooMany() {
    tooMany.increment();
  }

  /** One that waits leaves while there are too many; one that is new, or is answered, stays. */
  void makeRoom() {
    while (settled() > limits.maxConnections() + ConnectionWatch.RESERVED) {
      HttpConnection leaving = slowOrIdle(nanoTime.getAsLong());
      if (leaving == null) {
        return;
      }
      tooMany.increment();
      end(leaving);
    }
  }

  /**
   * All but those who came in this second: what they sent may not have been read yet, and may be a
   * probe.
   */
  private int settled() {
    long now = nanoTime.getAsLong();
    int settled = 0;
    for (ConnectionProgress progress : open.values()) {
      settled += progress.isYoung(now) ? 0 : 1;
    }
    return settled;
  }

  void end(HttpConnection connection) {
    forget(connection);
    ConnectionWatch.closeNow(connection);
  }

  void forget(HttpConnection connection) {
    ConnectionProgress progress = open.remove(connection);
    if (progress != null) {
      progress.claim.close();
    }
  }

  /** Whether so many bytes can be taken, after those who wait have left if need be. */
  boolean roomFor(long bytes, HttpConnection of) {
    while (share.freeBytes() < bytes) {
      tooMany.increment();
      HttpConnection leaving = whoMakesRoom(of);
      if (leaving.equals(of)) {
        return false;
      }
      end(leaving);
    }
    return true;
  }

  /** The same, but a connection that is new stays, and a lack of room is not counted. */
  void tryRoomFor(long bytes) {
    long now = nanoTime.getAsLong();
    HttpConnection leaving = slowOrIdle(now);
    while (share.freeBytes() < bytes && leaving != null) {
      tooMany.increment();
      end(leaving);
      leaving = slowOrIdle(now);
    }
  }

  private HttpConnection whoMakesRoom(HttpConnection newcomer) {
    long now = nanoTime.getAsLong();
    HttpConnection waiting = slowOrIdle(now);
    return waiting == null ? youngOfTheMany(newcomer, now) : waiting;
  }

  /** Closing costs who is idle a new connection, and who is slow what it had sent. */
  private @Nullable HttpConnection slowOrIdle(long nowNanos) {
    HttpConnection idle = null;
    long idleNanos = -1;
    for (Map.Entry<HttpConnection, ConnectionProgress> entry : open.entrySet()) { // in order of age
      ConnectionProgress progress = entry.getValue();
      long waited = nowNanos - progress.sinceNanos;
      if (progress.step == RequestStage.NEXT_REQUEST && waited > idleNanos) {
        idle = entry.getKey();
        idleNanos = waited;
      } else if (progress.step == RequestStage.FIRST_REQUEST && !progress.isYoung(nowNanos)) {
        return entry.getKey();
      }
    }
    return idle;
  }

  private HttpConnection youngOfTheMany(HttpConnection newcomer, long nowNanos) {
    Map<HttpConnection, String> young = new LinkedHashMap<>();
    open.forEach(
        (connection, progress) -> {
          if (progress.isYoung(nowNanos)) {
            young.put(connection, peer(connection));
          }
        });
    return RemotePeers.oldestOfMost(young).orElse(newcomer);
  }

  /** Whether a scrape is being answered in the place that is kept for one. */
  boolean isScraped() {
    return open.values().stream().anyMatch(each -> each.reservedScrape && each.busy() > 0);
  }

  /** Whether one more may be answered, where so many of this connection do not count. */
  boolean hasPlaceBeside(int uncounted, HttpConnection connection) {
    String peer = peer(connection);
    int busy = -uncounted;
    int ofPeer = -uncounted;
    for (Map.Entry<HttpConnection, ConnectionProgress> entry : open.entrySet()) {
      int ofOne = entry.getValue().busy();
      busy += ofOne;
      ofPeer += ofOne > 0 && peer(entry.getKey()).equals(peer) ? ofOne : 0;
    }
    return busy < places && ofPeer < perPeer;
  }

  private static String peer(HttpConnection connection) {
    return RemotePeers.nameOf(connection.remoteAddress().hostAddress());
  }
}
