package io.hdrsidecar.fleet.topic;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Unit;
import java.util.Arrays;
import org.apache.kafka.common.utils.Utils;

/**
 * To which partition the intervals of a series go.
 *
 * <p>Nodes drop what they have merged already by a number for each instance and partition. So an
 * interval that is sent again must go to the partition that it went to before: also by another
 * gateway, which may be configured to keep other labels of the place apart. Hence it follows from
 * unit, name and the labels that the sidecar itself sent, and from nothing else; and the number of
 * partitions never changes.
 */
public final class SeriesPartition {
  private SeriesPartition() {}

  /**
   * The partition: murmur2 of the key's bytes behind its version, as Kafka's own producers take it.
   *
   * @param own name and labels as they came, without those kept of the place
   * @param partitions how many the topic has, 1 or more
   */
  public static int of(Unit unit, SeriesKey own, int partitions) {
    byte[] versioned = new FleetSeries(unit, own).bytes();
    byte[] bytes = Arrays.copyOfRange(versioned, FleetSeries.VERSION_BYTES, versioned.length);
    return Utils.toPositive(Utils.murmur2(bytes)) % partitions;
  }
}
