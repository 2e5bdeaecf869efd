package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.SingleWriterCounter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What was received since start. The merge context counts, any thread reads. What was merged and
 * what was rejected, by reason, is counted by the store.
 */
public final class ReceiveCounters {
  private final SingleWriterCounter bytes = new SingleWriterCounter();
  private final SingleWriterCounter frames = new SingleWriterCounter();
  private final SingleWriterCounter duplicates = new SingleWriterCounter();
  private final SingleWriterCounter pauses = new SingleWriterCounter();
  private final SingleWriterCounter connectionsAccepted = new SingleWriterCounter();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger instances = new AtomicInteger();

  ReceiveCounters() {}

  void received(int moreBytes) {
    bytes.add(moreBytes);
  }

  void frame() {
    frames.increment();
  }

  void duplicate() {
    duplicates.increment();
  }

  void pause() {
    pauses.increment();
  }

  void accepted() {
    connectionsAccepted.increment();
  }

  void open(int openConnections, int knownInstances) {
    connections.setRelease(openConnections);
    instances.setRelease(knownInstances);
  }

  /** Bytes read from all connections. */
  public long bytes() {
    return bytes.get();
  }

  /** Whole frames with a right checksum. */
  public long frames() {
    return frames.get();
  }

  /** Intervals that had been merged before, and were acknowledged again. */
  public long duplicates() {
    return duplicates.get();
  }

  /** How often a client was not read from until it had read its answers. */
  public long pauses() {
    return pauses.get();
  }

  /** Connections accepted since start. */
  public long connectionsAccepted() {
    return connectionsAccepted.get();
  }

  /** Connections open now. */
  public int connections() {
    return connections.getAcquire();
  }

  /** Client instances whose last sequence number is known now. */
  public int instances() {
    return instances.getAcquire();
  }
}
