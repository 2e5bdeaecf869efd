package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RejectCounters;
import io.hdrsidecar.sidecar.limits.SingleWriterCounter;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The counters of all that was received since start. The merge context counts, any thread reads.
 * Merges and refusals, by reason, are counted by the store.
 */
public final class ReceiveCounters {
  /**
   * Reasons for which an interval, and so the values in it, can be refused. What is about a series
   * is among them, because one that has ended begins anew with an interval, and may then be
   * refused.
   */
  public static final Set<RejectReason> LOSING_REASONS =
      Collections.unmodifiableSet(
          EnumSet.of(
              RejectReason.BAD_FRAME,
              RejectReason.UNKNOWN_SERIES,
              RejectReason.SERIES_CONFLICT,
              RejectReason.SERIES_LIMIT,
              RejectReason.CONFIGURATION_LIMIT,
              RejectReason.BAD_PAYLOAD,
              RejectReason.LAYOUT_MISMATCH,
              RejectReason.COUNT_MISMATCH,
              RejectReason.COUNT_OVERFLOW,
              RejectReason.BAD_TIME,
              RejectReason.MEMORY_LIMIT));

  private final SingleWriterCounter bytes = new SingleWriterCounter();
  private final SingleWriterCounter frames = new SingleWriterCounter();
  private final SingleWriterCounter duplicates = new SingleWriterCounter();
  private final SingleWriterCounter healthDropped = new SingleWriterCounter();
  private final SingleWriterCounter figuresDropped = new SingleWriterCounter();
  private final SingleWriterCounter pauses = new SingleWriterCounter();
  private final SingleWriterCounter connectionsAccepted = new SingleWriterCounter();
  private final RejectCounters lostValues = new RejectCounters();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger connectionsLimit = new AtomicInteger();
  private final AtomicInteger instances = new AtomicInteger();
  private volatile boolean lastSaidGoodbye;

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

  void healthDropped() {
    healthDropped.increment();
  }

  void figuresDropped(int figures) {
    figuresDropped.add(figures);
  }

  void lost(RejectReason reason, long values) {
    lostValues.add(reason, values);
  }

  void pause() {
    pauses.increment();
  }

  void left(boolean saidGoodbye) {
    lastSaidGoodbye = saidGoodbye;
  }

  void accepted() {
    connectionsAccepted.increment();
  }

  void open(int openConnections, int mostConnections, int knownInstances) {
    connections.setRelease(openConnections);
    connectionsLimit.setRelease(mostConnections);
    instances.setRelease(knownInstances);
  }

  /** Bytes read from all connections. */
  public long bytes() {
    return bytes.get();
  }

  /** Intervals that had been merged before, and were acknowledged again. */
  public long duplicates() {
    return duplicates.get();
  }

  /** HEALTH frames dropped because there was no room for another client. */
  public long healthDroppedFrames() {
    return healthDropped.get();
  }

  /** Figures in HEALTH whose names are unknown. */
  public long unknownFigures() {
    return figuresDropped.get();
  }

  /** Values in intervals refused for this reason, as their senders counted them. */
  public long lostValues(RejectReason reason) {
    return lostValues.get(reason);
  }

  /** How often a client was not read from until it had read its answers. */
  public long pauses() {
    return pauses.get();
  }

  /** Connections open now. */
  public int connections() {
    return connections.getAcquire();
  }

  /**
   * Connections that there is room for, those that are open among them: as many as may be open, or
   * as memory has room for if that is less.
   */
  public int connectionsLimit() {
    return connectionsLimit.getAcquire();
  }

  /** Client instances whose last sequence number is known now. */
  public int instances() {
    return instances.getAcquire();
  }

  /** Whether the client that left last said GOODBYE; false while none has left. */
  boolean lastSaidGoodbye() {
    return lastSaidGoodbye;
  }

  /** Its metrics. */
  public List<Metric> metrics() {
    List<Metric> metrics =
        new ArrayList<>(
            List.of(
                Metric.counter("received.bytes", "Bytes received from clients", this::bytes),
                Metric.counter(
                    "received.frames", "Whole frames received from clients", frames::get),
                Metric.counter(
                    "duplicate.intervals",
                    "Intervals received again after they had been merged",
                    this::duplicates),
                Metric.counter(
                    "connections.accepted", "Connections accepted", connectionsAccepted::get),
                Metric.counter(
                    "connection.pauses",
                    "How often a client was not read from until it had read its answers",
                    this::pauses),
                Metric.gauge("connections", "Connections of clients, open now", this::connections),
                Metric.gauge(
                    "connections.limit",
                    "Connections of clients that there is room for: ingest.max-connections, or"
                        + " fewer if memory has room for fewer",
                    this::connectionsLimit),
                Metric.gauge(
                    "last.client.said.goodbye",
                    "1 when the client that left last said goodbye, 0 when it was cut off or none"
                        + " has left",
                    () -> lastSaidGoodbye ? 1 : 0),
                Metric.gauge("known.instances", "Client instances known now", this::instances),
                Metric.counter(
                    "health.dropped",
                    "HEALTH frames of clients for which there was no room",
                    this::healthDroppedFrames),
                Metric.counter(
                    "health.unknown.figures",
                    "Figures in HEALTH whose names are unknown",
                    this::unknownFigures)));
    for (RejectReason reason : LOSING_REASONS) {
      metrics.add(
          Metric.counter(
              "lost.values",
              "Values lost, by reason",
              () -> lostValues(reason),
              "reason",
              reason.label()));
    }
    return metrics;
  }
}
