package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.merge.Series;
import java.util.ArrayList;
import java.util.List;

/** Writes requests, each of some bytes at most, or one series. One thread at a time. */
final class RequestWriter {
  private static final int LEAST_BYTES = 4 << 10;

  private final ExportWire wire;
  private final boolean isDelta;
  private final ExportStreams streams;
  private int maxBytes;

  /**
   * A writer.
   *
   * @param isDelta whether a series without new values has no point
   * @param maxBytes of a request, unpacked; what the wire holds is some six times as much
   */
  RequestWriter(ExportWire wire, boolean isDelta, ExportStreams streams, int maxBytes) {
    this.wire = wire;
    this.isDelta = isDelta;
    this.streams = streams;
    this.maxBytes = maxBytes;
  }

  /**
   * What the series have counted already counts as delivered. A run of this sidecar before has
   * pushed it, and deltas of it would be told twice.
   *
   * @return how many values that is
   */
  long assumeDelivered(long timeNanos) {
    long values = 0;
    for (ExportStream stream : streams.round()) {
      Series series = stream.series();
      if (series != null) {
        SentPoint point = wire.read(series, SentPoint.NONE, timeNanos);
        streams.assume(stream, point);
        values += point.count();
      }
    }
    return values;
  }

  /**
   * The receiver finds the request that was written last too large: others are half as large, from
   * now on. False when they cannot be smaller.
   */
  boolean halve() {
    int size = Math.min(maxBytes, wire.size());
    maxBytes = Math.max(LEAST_BYTES, size / 2);
    return size > LEAST_BYTES;
  }

  /**
   * A request with the points of these streams, from one place on.
   *
   * @param timeNanos of all points
   * @throws HeapFullException when there is no room for a request; it is as if nothing was asked
   */
  ExportRequest write(List<ExportStream> all, int from, long timeNanos) {
    List<ExportStream> written = new ArrayList<>();
    try {
      int next = write(all, from, timeNanos, written);
      return new ExportRequest(wire.packed(), written, next);
    } catch (RuntimeException e) {
      streams.giveUp(new ExportRequest(new byte[0], written, from));
      throw e;
    }
  }

  private int write(List<ExportStream> all, int from, long timeNanos, List<ExportStream> written) {
    wire.begin(from == 0, timeNanos);
    int next = from;
    for (; next < all.size() && hasRoom(written); next++) {
      ExportStream stream = all.get(next);
      Series series = stream.series();
      if (series == null) {
        continue;
      }
      SentPoint before = stream.delivered();
      SentPoint now = wire.read(series, before, timeNanos);
      if ((isDelta && now.count() == before.count()) || !streams.send(stream, now)) {
        continue;
      }
      written.add(stream); // Before anything is written of it, for which there may be no room.
      wire.point(stream, series, timeNanos);
    }
    wire.end();
    return next;
  }

  /** One point goes into each request, also where the resource alone is as large as one may be. */
  private boolean hasRoom(List<ExportStream> written) {
    return written.isEmpty() || wire.size() < maxBytes;
  }
}
