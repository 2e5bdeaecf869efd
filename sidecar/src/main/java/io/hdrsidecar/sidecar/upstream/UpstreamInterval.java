package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.send.InFlight;
import io.hdrsidecar.internal.send.OutgoingSeries;
import java.nio.ByteBuffer;

/**
 * An interval on its way, as it is written down.
 *
 * @param sequence its number
 * @param seriesId what the frame calls its series
 * @param definition what that stands for
 * @param values how many values it has
 * @param frame the whole INTERVAL frame, in an array
 */
record UpstreamInterval(
    long sequence, int seriesId, SeriesDefinition definition, long values, ByteBuffer frame) {
  static UpstreamInterval of(InFlight.EncodedInterval interval) {
    OutgoingSeries series = interval.series();
    return new UpstreamInterval(
        interval.sequence(),
        series.id(),
        series.definition(),
        interval.values(),
        interval.frame().duplicate());
  }
}
