package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.IntervalLog;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Holds answers back until the journal has what they promise: who is told that an interval is
 * settled forgets it. Merge context only.
 *
 * <p>Entries are in the order of their records, so those a flush releases are at the front. There
 * is at most one for each sequence number that an instance settles.
 */
final class DurableAnswers {
  /** Once the record is durable, so is everything the instance had settled by then. */
  private record WaitingAnswer(long record, Instance instance, long sequence) {}

  private final IntervalLog log;
  private final ArrayDeque<WaitingAnswer> waiting = new ArrayDeque<>();

  DurableAnswers(IntervalLog log) {
    this.log = log;
  }

  /**
   * The instance is owed an ACK for all it has settled.
   *
   * @return whether it can be sent at once; otherwise {@link ClientConnection#becameDurable} will
   *     be called
   */
  boolean settle(Instance instance) {
    long sequence = instance.lastSequence();
    if (log.durableRecord() >= log.lastRecord()) {
      instance.becameDurable(sequence);
    } else if (instance.durableSequence() < sequence && instance.orderDurable(sequence)) {
      waiting.addLast(new WaitingAnswer(log.lastRecord(), instance, sequence));
    }
    return instance.durableSequence() >= sequence;
  }

  /** The journal has written more: answers what waited for it, once for each instance. */
  void release() {
    Set<Instance> released = new LinkedHashSet<>();
    while (!waiting.isEmpty() && waiting.getFirst().record() <= log.durableRecord()) {
      WaitingAnswer done = waiting.removeFirst();
      done.instance().becameDurable(done.sequence());
      released.add(done.instance());
    }
    for (Instance instance : released) {
      ClientConnection connection = instance.connection();
      if (connection != null) {
        connection.becameDurable();
      }
    }
  }

  /** Answers held back now. */
  int size() {
    return waiting.size();
  }
}
