package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.wire.InstanceId;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last sequence number of each client instance that is in the journal, as a checkpoint tells
 * it. Bounded: those heard of longest ago are forgotten first. One thread at a time.
 */
final class SequenceMemory {
  /** A client that said GOODBYE may come back once more, if it never saw the answer. */
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(10);

  /** What is known of an instance. */
  record Known(long sequence, long seenMillis, boolean saidGoodbye) {}

  private final int maxInstances;
  private final long memoryMillis;
  private final Map<InstanceId, Known> byId = new LinkedHashMap<>(16, 0.75f, true);

  SequenceMemory(int maxInstances, Duration memory) {
    this.maxInstances = maxInstances;
    this.memoryMillis = memory.toMillis();
  }

  void sequence(InstanceId id, long sequence, long seenMillis) {
    Known before = byId.get(id);
    long highest = before == null ? sequence : Math.max(sequence, before.sequence());
    put(id, new Known(highest, seenMillis, false));
  }

  void goodbye(InstanceId id, long seenMillis) {
    Known before = byId.get(id);
    put(id, new Known(before == null ? 0 : before.sequence(), seenMillis, true));
  }

  void put(InstanceId id, Known known) {
    byId.put(id, known);
    if (byId.size() > maxInstances) {
      Iterator<InstanceId> eldest = byId.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /** Forgets instances not heard of for long. */
  void forgetOld(long nowMillis) {
    byId.values()
        .removeIf(
            known ->
                nowMillis - known.seenMillis()
                    > (known.saidGoodbye() ? AFTER_GOODBYE.toMillis() : memoryMillis));
  }

  Map<InstanceId, Known> all() {
    return byId;
  }

  /** The numbers alone. */
  Map<InstanceId, Long> sequences() {
    Map<InstanceId, Long> sequences = new LinkedHashMap<>();
    byId.forEach((id, known) -> sequences.put(id, known.sequence()));
    return sequences;
  }
}
