package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.merge.RememberedInstance;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last sequence number of each client instance that is in the journal, as a checkpoint tells
 * it. How long ago an instance was heard of is counted in time that a sidecar was running, by a
 * clock that nobody sets; a checkpoint takes that along to the next run.
 *
 * <p>Bounded: of those that said GOODBYE, and of the others, those heard of longest ago are
 * forgotten first. There is room for twice as many others as ingest remembers without a connection,
 * so what it still knows is here as well. One thread at a time.
 */
final class SequenceMemory {
  /** Room for those that stay, as a multiple of what ingest remembers. */
  static final int STAYING = 2;

  /** A client that said GOODBYE may come back once more, if it never saw the answer. */
  private static final Duration AFTER_GOODBYE = Duration.ofMinutes(10);

  private record Known(long sequence, long seenNanos) {}

  /** Is told of an instance. */
  @FunctionalInterface
  interface Visitor {
    void visit(InstanceId id, RememberedInstance remembered);
  }

  private final int maxInstances;
  private final long memoryNanos;
  private final LongSupplier nanoTime;
  private final Map<InstanceId, Known> staying = new LinkedHashMap<>();
  private final Map<InstanceId, Known> gone = new LinkedHashMap<>();

  SequenceMemory(int maxInstances, Duration memory, LongSupplier nanoTime) {
    this.maxInstances = maxInstances;
    this.memoryNanos = memory.toNanos();
    this.nanoTime = nanoTime;
  }

  /** An interval with this number is in the journal. */
  void sequence(InstanceId id, long sequence) {
    Known before = remove(id);
    long highest = before == null ? sequence : Math.max(sequence, before.sequence());
    put(id, new Known(highest, nanoTime.getAsLong()), /* saidGoodbye= */ false);
  }

  void goodbye(InstanceId id) {
    Known before = remove(id);
    long sequence = before == null ? 0 : before.sequence();
    put(id, new Known(sequence, nanoTime.getAsLong()), /* saidGoodbye= */ true);
  }

  /** As a checkpoint has it. */
  void restore(InstanceId id, RememberedInstance remembered) {
    remove(id);
    long seenNanos = nanoTime.getAsLong() - remembered.away().toNanos();
    put(id, new Known(remembered.lastSequence(), seenNanos), remembered.saidGoodbye());
  }

  private @Nullable Known remove(InstanceId id) {
    Known before = staying.remove(id);
    return before == null ? gone.remove(id) : before;
  }

  private void put(InstanceId id, Known known, boolean saidGoodbye) {
    Map<InstanceId, Known> kept = saidGoodbye ? gone : staying;
    kept.put(id, known);
    if (kept.size() > (saidGoodbye ? 1L : STAYING) * maxInstances) {
      Iterator<InstanceId> eldest = kept.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /** Forgets instances not heard of for long. */
  void forgetOld() {
    long now = nanoTime.getAsLong();
    staying.values().removeIf(known -> now - known.seenNanos() > memoryNanos);
    gone.values().removeIf(known -> now - known.seenNanos() > AFTER_GOODBYE.toNanos());
  }

  /** Visits all, of each kind those heard of longest ago first. */
  void forEach(Visitor visitor) {
    long now = nanoTime.getAsLong();
    gone.forEach((id, known) -> visitor.visit(id, remembered(known, now, true)));
    staying.forEach((id, known) -> visitor.visit(id, remembered(known, now, false)));
  }

  private static RememberedInstance remembered(Known known, long now, boolean saidGoodbye) {
    Duration away = Duration.ofNanos(Math.max(0, now - known.seenNanos()));
    return new RememberedInstance(known.sequence(), away, saidGoodbye);
  }
}
