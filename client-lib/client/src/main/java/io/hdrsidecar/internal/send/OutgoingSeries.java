package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.record.IntervalSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One series as the sending thread sees it, with what of it waits to be sent. */
public final class OutgoingSeries {
  private static final int NEVER = 0;

  private final int id;
  private final SeriesDefinition definition;
  private final IntervalSource source;

  private @Nullable Accumulation begun;
  private @Nullable Accumulation waiting;
  private long startMillis;
  private long endMillis;

  private long announcedOn = NEVER;
  private long refusedOn = NEVER;
  private String refusal = "";

  OutgoingSeries(int id, SeriesDefinition definition, IntervalSource source) {
    this.id = id;
    this.definition = definition;
    this.source = source;
  }

  /** Stays the same for the life of the client, so that an encoded frame can be sent again. */
  public int id() {
    return id;
  }

  public SeriesDefinition definition() {
    return definition;
  }

  IntervalSource source() {
    return source;
  }

  boolean hasBegun() {
    return begun != null;
  }

  /** What was harvested of the interval that has not ended yet; there must be some. */
  Accumulation begun() {
    return Objects.requireNonNull(begun, "begun");
  }

  void begin(Accumulation counts) {
    begun = counts;
  }

  /** What had begun is elsewhere now: forgets it. */
  void endBegun() {
    begun = null;
  }

  boolean isWaiting() {
    return waiting != null;
  }

  /** The interval that waits; there must be one. */
  public Accumulation waiting() {
    return Objects.requireNonNull(waiting, "waiting");
  }

  public long startMillis() {
    return startMillis;
  }

  public long endMillis() {
    return endMillis;
  }

  void startWaiting(Accumulation counts, long start, long end) {
    waiting = counts;
    startMillis = start;
    endMillis = Math.max(start, end); // A clock set back must not turn an interval round.
  }

  /** What waits now reaches over this time as well. */
  void extend(long start, long end) {
    startMillis = Math.min(startMillis, start);
    endMillis = Math.max(endMillis, end);
  }

  void stopWaiting() {
    waiting = null;
  }

  /** Whether the sidecar was told on this connection what the id stands for. */
  boolean isAnnouncedOn(long connection) {
    return announcedOn == connection;
  }

  void announcedOn(long connection) {
    announcedOn = connection;
  }

  /** A refusal holds for one connection: the next sidecar may have other limits. */
  boolean isRefusedOn(long connection) {
    return refusedOn == connection;
  }

  void refusedOn(long connection, String reason) {
    refusedOn = connection;
    refusal = reason;
  }

  String refusal() {
    return refusal;
  }
}
