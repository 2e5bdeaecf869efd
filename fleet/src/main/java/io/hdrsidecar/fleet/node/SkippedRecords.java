package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.node.NodeCounters.Skip;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Counts records that cannot be merged, and names the first of a kind, and then one a minute: a
 * flood of foreign bytes is no flood of lines. One thread.
 */
final class SkippedRecords {
  private static final Logger LOG = System.getLogger(SkippedRecords.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final NodeCounters counters;
  private final Map<Skip, Long> saidNanos = new EnumMap<>(Skip.class);

  SkippedRecords(NodeCounters counters) {
    this.counters = counters;
  }

  void skip(Skip why, RecordMetadata at, String problem) {
    counters.skip(why);
    long now = System.nanoTime();
    Long said = saidNanos.get(why);
    if (said == null || now - said >= QUIET_NANOS) {
      saidNanos.put(why, now);
      LOG.log(
          Level.WARNING,
          "event=record_skipped topic={0} partition={1} offset={2} reason={3} total={4}"
              + " problem=\"{5}\"",
          at.topic(),
          at.partition(),
          String.valueOf(at.offset()),
          why.label(),
          String.valueOf(counters.skipped(why)),
          problem);
    }
  }
}
