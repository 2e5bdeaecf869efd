package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.merge.Series;
import org.jspecify.annotations.Nullable;

/**
 * One series on its way to the receiver: what of it was delivered, and what is being sent. It lets
 * go of a series that has ended, whose memory the store no longer reckons with. One thread.
 */
final class ExportStream {
  private final String metric;
  private long startNanos;
  private @Nullable Series series;
  private SentPoint delivered = SentPoint.NONE;
  private @Nullable SentPoint pending;
  private long exemplarMillis;
  private long pendingExemplarMillis;

  ExportStream(Series series) {
    this.series = series;
    this.metric = series.metricNames().cumulative();
    this.startNanos = series.createdAt().toEpochMilli() * 1_000_000;
  }

  /** By which streams are ordered, so that points of one metric come together. */
  String metric() {
    return metric;
  }

  /**
   * Start of a point at this time that tells all since the beginning: before it, and the same as
   * that of points before. A later one tells receivers that the series began anew.
   */
  long startNanos(long timeNanos) {
    startNanos = Math.min(startNanos, timeNanos - 1);
    return startNanos;
  }

  /** The series, until it has ended; null also if nothing is sent of it. */
  @Nullable Series series() {
    return series;
  }

  /** What the receiver has. */
  SentPoint delivered() {
    return delivered;
  }

  /**
   * All that was counted up to this point counts as delivered; nobody knows.
   *
   * @param point null when there is no room to remember it: nothing is sent of this series then
   */
  void assume(@Nullable SentPoint point) {
    if (point == null) {
      series = null;
    } else {
      delivered = point;
    }
  }

  /** A point was written; whether it arrives is not known yet. */
  void send(SentPoint point) {
    pending = point;
  }

  /** Time of the last exemplar that has arrived, where the order of exemplars matters. */
  long exemplarMillis() {
    return exemplarMillis;
  }

  /** Exemplars up to this time are in the point that was written. */
  void sendExemplars(long lastMillis) {
    pendingExemplarMillis = lastMillis;
  }

  /**
   * The point that was sent has arrived.
   *
   * @return how many values the receiver has more
   */
  long deliver() {
    SentPoint arrived = pending;
    pending = null;
    if (arrived == null) {
      return 0;
    }
    long more = arrived.count() - delivered.count();
    delivered = arrived;
    exemplarMillis = Math.max(exemplarMillis, pendingExemplarMillis);
    return more;
  }

  /**
   * The point that was sent will not arrive: what it told is in the next one, if there is one.
   *
   * @return values that are lost, as the series has ended
   */
  long giveUp() {
    SentPoint failed = pending;
    pending = null;
    pendingExemplarMillis = 0;
    return failed == null || series != null ? 0 : failed.count() - delivered.count();
  }

  /**
   * The series has ended with so many values.
   *
   * @return how many of them are in no point that was delivered or is being sent
   */
  long end(long count) {
    series = null;
    SentPoint last = pending;
    return count - (last == null ? delivered : last).count();
  }

  /** Memory of what is remembered. */
  long heapBytes() {
    SentPoint sending = pending;
    return delivered.heapBytes() + (sending == null ? 0 : sending.heapBytes());
  }
}
