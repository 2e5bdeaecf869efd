package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.InFlight;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** How far back what is on its way reaches. */
final class UpstreamAge {
  /** Behind the header of a frame, its sequence number and its series. */
  private static final int START_OFFSET = 8 + 8 + 4;

  private UpstreamAge() {}

  /** The earliest start, in milliseconds since the epoch; 0 for nothing on its way. */
  static long oldestOf(@Nullable UpstreamBatch batch, InFlight inFlight) {
    long oldest = Long.MAX_VALUE;
    if (batch != null) {
      for (UpstreamBatch.SummedSeries part : batch.parts()) {
        oldest = Math.min(oldest, part.startMillis());
      }
    }
    for (InFlight.EncodedInterval interval : inFlight.all()) {
      ByteBuffer frame = interval.frame();
      oldest = Math.min(oldest, frame.getLong(frame.position() + START_OFFSET));
    }
    return oldest == Long.MAX_VALUE ? 0 : Math.max(0, oldest);
  }
}
