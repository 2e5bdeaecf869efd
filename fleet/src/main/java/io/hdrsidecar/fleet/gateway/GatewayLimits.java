package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.setting.Setting;
import java.util.List;

/** What a series may be. The same at all gateways, and no more than nodes take. */
record GatewayLimits(
    @Setting(
            key = "series.max-counters",
            byDefault = "131072",
            range = "1024 to 2147483647",
            help =
                "Most counters that lowest value, highest value and digits of a series may need;"
                    + " the same at all gateways.")
        int maxCounters,
    @Setting(
            key = "series.max-label-length",
            byDefault = "2048",
            range = "64 to 65536",
            help =
                "Most characters that names and values of a series' own labels may have in sum; the"
                    + " same at all gateways.")
        int maxLabelLength) {
  private static final int MOST_BYTES_A_CHARACTER = 3;

  /** Name, lengths, header, and what Kafka adds. */
  private static final int OTHER_BYTES = 2048;

  /**
   * Refuses what no node would take, and no other gateway of the same limits.
   *
   * @param own labels without those of the place, of which another gateway may keep others
   */
  void require(SeriesDefinition definition, Labels own) throws RefusedException {
    if (definition.counters() > maxCounters) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT,
          "lowest value, highest value and digits may need at most "
              + maxCounters
              + " counters (series.max-counters): "
              + definition.counters());
    }
    int[] length = {0};
    own.forEach((name, value) -> length[0] += name.length() + value.length());
    if (length[0] > maxLabelLength) {
      throw new RefusedException(
          RejectReason.CONFIGURATION_LIMIT,
          "names and values of a series' own labels may have at most "
              + maxLabelLength
              + " characters in sum (series.max-label-length): "
              + length[0]);
    }
  }

  /**
   * The longest record of an interval.
   *
   * @param bodyBytes longest body of its frame
   * @param kept labels that are kept of the place
   */
  int longestRecord(int bodyBytes, List<String> kept) {
    int keptLength = kept.size() * Labels.MAX_LENGTH + kept.stream().mapToInt(String::length).sum();
    return bodyBytes + MOST_BYTES_A_CHARACTER * (maxLabelLength + keptLength) + OTHER_BYTES;
  }
}
