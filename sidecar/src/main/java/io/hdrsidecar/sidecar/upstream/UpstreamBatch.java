package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import java.util.List;

/**
 * What was merged since the batch before, to be handed on.
 *
 * @param parts of a series there may be several
 * @param position how far in the journal this and all batches before it reach
 */
record UpstreamBatch(List<SummedSeries> parts, long position) {
  /**
   * What one series counted.
   *
   * @param counts 1 value or more; belongs to the owner of the batch
   * @param startMillis milliseconds since the epoch
   * @param endMillis milliseconds since the epoch, not before the start
   */
  public record SummedSeries(
      SeriesDefinition definition, Accumulation counts, long startMillis, long endMillis) {}

  /** How many values it has. */
  long values() {
    return parts.stream().mapToLong(part -> part.counts().count()).sum();
  }
}
