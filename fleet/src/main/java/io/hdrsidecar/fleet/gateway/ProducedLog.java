package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.DurableTasks;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import io.hdrsidecar.sidecar.merge.Sender;
import io.hdrsidecar.sidecar.receive.NotNowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What was handed to Kafka and is not acknowledged yet. Records are numbered in the order in which
 * they come. Kafka acknowledges them in any order, and a record is durable when all up to it are
 * there: who is told that an interval is settled knows that all before it are, too.
 *
 * <p>Merge context only, unless said otherwise.
 */
final class ProducedLog implements IntervalLog, RecordSender.Owner {
  /**
   * When so much of the memory is taken nothing more is read; the rest is for what was read by
   * then.
   */
  private static final int FULL_PERCENT = 75;

  private final String topic;
  private final HeapShare share;
  private final long fullBytes;
  private final GatewayCounters counters;
  private final Consumer<Outgoing> sender;
  private final Runnable endConnections;
  private final Consumer<RuntimeException> onBroken;
  private final ArrayDeque<ProducedRecord> waiting = new ArrayDeque<>();
  private final DurableTasks tasks = new DurableTasks();
  private final AtomicBoolean advancing = new AtomicBoolean();
  private volatile Executor mergeContext = Runnable::run;
  private Runnable onDurable = () -> {};
  private long lastRecord;
  private long durableRecord;
  private boolean isDown = true;
  private boolean isEnding;

  /**
   * Nothing is taken until {@link #opened}.
   *
   * @param share what records may hold until they are acknowledged
   * @param sender takes records in order
   * @param endConnections lets all clients connect again
   * @param onBroken ends the process: something has failed that cannot, and a thread that waits for
   *     a record would wait for ever
   */
  ProducedLog(
      String topic,
      HeapShare share,
      GatewayCounters counters,
      Consumer<Outgoing> sender,
      Runnable endConnections,
      Consumer<RuntimeException> onBroken) {
    this.topic = topic;
    this.share = share;
    this.fullBytes = share.maxBytes() / 100 * FULL_PERCENT;
    this.counters = counters;
    this.sender = sender;
    this.endConnections = endConnections;
    this.onBroken = onBroken;
  }

  /** Most bytes that a value may have, so that there is room for some of them. */
  static long longestValue(long shareBytes) {
    return shareBytes / 8;
  }

  @Override
  public boolean keepsRecords() {
    return false; // Nobody comes back to this process.
  }

  @Override
  public void start(Executor context, Runnable whenDurable) {
    onDurable = whenDurable;
    mergeContext = context;
  }

  /**
   * Hands an interval to Kafka.
   *
   * @throws NotNowException when there is no room, or Kafka refuses records
   */
  void produce(Sender from, FleetDestination destination, IntervalFrame frame, ByteBuffer in)
      throws NotNowException {
    if (isDown) {
      throw new NotNowException(
          RejectReason.MEMORY_LIMIT, "Kafka takes no records from this gateway; connect again");
    }
    long bytes = ProducedRecord.bytesOf(frame.bodyLength());
    if (!share.tryTake(bytes)) {
      throw new NotNowException(
          RejectReason.MEMORY_LIMIT, "no memory for what waits for Kafka; connect again");
    }
    int offset = in.arrayOffset() + frame.bodyOffset();
    byte[] body = Arrays.copyOfRange(in.array(), offset, offset + frame.bodyLength());
    ProducedRecord record =
        new ProducedRecord(topic, from.id(), destination, body, bytes, System.nanoTime());
    waiting.addLast(record);
    counters.waiting(waiting.size(), waiting.getFirst().sinceNanos());
    lastRecord++;
    counters.received(frame.count());
    sender.accept(record);
  }

  /** Any thread. */
  @Override
  public void acknowledged() {
    if (!advancing.get() && advancing.compareAndSet(false, true)) {
      onMergeContext(this::advance);
    }
  }

  private void onMergeContext(Runnable task) {
    mergeContext.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            broken(e);
          }
        });
  }

  /** Any thread. */
  @Override
  public void broken(RuntimeException cause) {
    onBroken.accept(cause);
  }

  private void advance() {
    advancing.set(false); // First, so that no later one is missed.
    long bytes = 0;
    int records = 0;
    ProducedRecord first = waiting.peekFirst();
    while (first != null && first.isAcknowledged()) {
      waiting.removeFirst();
      bytes += first.heldBytes();
      records++;
      first = waiting.peekFirst();
    }
    counters.waiting(waiting.size(), first == null ? 0 : first.sinceNanos());
    if (records > 0) {
      share.release(bytes);
      counters.acknowledged(records);
      risen(durableRecord + records);
    }
  }

  private void risen(long durable) {
    durableRecord = durable;
    onDurable.run();
    tasks.run(durable);
  }

  /** Any thread. */
  @Override
  public void opened() {
    onMergeContext(
        () -> {
          isDown = false;
          counters.producing(true);
          onDurable.run();
        });
  }

  /** Another thread than the merge context. */
  @Override
  public void failed(String problem) throws InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    onMergeContext(
        () -> {
          try {
            giveUp();
          } finally {
            done.complete(null);
          }
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Connections end before anything counts as durable, so nobody is told that it is. */
  private void giveUp() {
    isDown = true;
    counters.producing(false);
    endConnections.run();
    waiting.forEach(record -> share.release(record.heldBytes()));
    waiting.clear();
    counters.waiting(0, 0);
    risen(lastRecord);
  }

  /** Nothing more is read from now on. */
  void end() {
    isEnding = true;
  }

  @Override
  public long lastRecord() {
    return lastRecord;
  }

  @Override
  public long durableRecord() {
    return durableRecord;
  }

  @Override
  public void whenDurable(Runnable task) {
    if (durableRecord >= lastRecord) {
      task.run();
    } else {
      tasks.add(lastRecord, task);
    }
  }

  @Override
  public boolean isFull() {
    return isDown || isEnding || share.heldBytes() >= fullBytes;
  }
}
