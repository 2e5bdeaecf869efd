package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.http.ConnectionProgress.RequestStage;
import io.vertx.core.http.HttpConnection;
import java.util.function.LongSupplier;

/** What a connection of another protocol than HTTP/1 tells. Event loop of the server only. */
final class OtherWatch implements OtherProtocol.Watch {
  private final HttpConnection connection;
  private final ConnectionProgress progress;
  private final OpenConnections open;
  private final long requestBytes;
  private final ConnectionWatch watch;
  private final HttpLimits limits;
  private final LongSupplier nanoTime;

  OtherWatch(
      HttpConnection connection,
      ConnectionProgress progress,
      OpenConnections open,
      long requestBytes,
      ConnectionWatch watch,
      HttpLimits limits,
      LongSupplier nanoTime) {
    this.connection = connection;
    this.progress = progress;
    this.open = open;
    this.requestBytes = requestBytes;
    this.watch = watch;
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean began() {
    if (!open.has(connection)) {
      return false;
    }
    progress.enter(RequestStage.STREAM, nanoTime.getAsLong()); // so that it does not leave itself
    open.tryRoomFor(requestBytes);
    boolean admitted = open.hasPlaceBeside(0, connection) && progress.claim.tryGrow(requestBytes);
    progress.others += admitted ? 1 : 0;
    open.makeRoom();
    waitIfDone();
    return admitted;
  }

  @Override
  public void ended() {
    if (open.has(connection)) {
      progress.others--;
      progress.claim.shrink(requestBytes);
      waitIfDone();
    }
  }

  private void waitIfDone() {
    if (progress.others == 0) {
      progress.enter(RequestStage.NEXT_REQUEST, nanoTime.getAsLong());
    }
  }

  @Override
  public void countTooSlow() {
    watch.countTooSlow();
  }

  @Override
  public void countTooMany() {
    open.countTooMany();
  }

  @Override
  public long nanoTime() {
    return nanoTime.getAsLong();
  }

  @Override
  public boolean isTooSlow(long nanos, long bodyBytes, boolean isWhole) {
    return nanos > limits.requestTimeout().toNanos()
        || (!isWhole && ConnectionWatch.isSlow(nanos, bodyBytes));
  }
}
