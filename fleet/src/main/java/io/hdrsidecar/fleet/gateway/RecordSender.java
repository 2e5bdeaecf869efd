package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.kafka.TopicsException;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to Kafka's producer, in order, on a thread that may wait for room in its buffers:
 * the event loop never does. When a producer has failed there is another one after a while, as
 * often as it takes.
 */
final class RecordSender implements AutoCloseable {
  private static final Logger LOG = System.getLogger(RecordSender.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);
  private static final long JOIN_MILLIS = 5_000;

  /**
   * What comes in this time behind a first record is handed over with it. The producer itself waits
   * longer for a batch; waking this thread for each record costs more than handing it over.
   */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Not a record: it wakes the thread, which then finds that one has failed. */
  private static final Outgoing FAILURE =
      new Outgoing() {
        @Override
        public ProducerRecord<byte[], byte[]> toSend(ProducerRun by) {
          throw new IllegalStateException("nothing to send");
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception e) {}
      };

  /** Makes producers. */
  interface Producers {
    /** Another one, once the topics are what they should be. Blocks. */
    Producer<byte[], byte[]> open() throws TopicsException;
  }

  /** Who hears of it. Sending thread, but {@link #acknowledged}. */
  interface Owner {
    /** Records can be sent from now on. */
    void opened();

    /** Kafka has one more record. On a thread of the producer. */
    void acknowledged();

    /**
     * A record has failed. Nothing more is handed over when this returns, until {@link #opened}.
     */
    void failed(String problem) throws InterruptedException;

    /** Nothing will ever be sent again: a mistake of ours. */
    void broken(RuntimeException cause);
  }

  private final Producers producers;
  private final Owner owner;
  private final GatewayCounters counters;
  private final LinkedBlockingQueue<Outgoing> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable ProducerRun current;

  RecordSender(Producers producers, Owner owner, GatewayCounters counters) {
    this.producers = producers;
    this.owner = owner;
    this.counters = counters;
    this.thread = new Thread(this::run, "hdr-gateway-send");
  }

  /** Begins, with a producer that is open. */
  void start(Producer<byte[], byte[]> first) {
    current = newRun(first);
    thread.setDaemon(true);
    thread.start();
  }

  private ProducerRun newRun(Producer<byte[], byte[]> producer) {
    return new ProducerRun(producer, owner::acknowledged, () -> queue.add(FAILURE));
  }

  /** Hands over a record, behind those before it. One thread at a time. */
  void send(Outgoing record) {
    queue.add(record);
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    try {
      while (!stopped) {
        ProducerRun run = current;
        if (run == null) {
          run = open();
        }
        if (run != null) {
          owner.opened();
          sendUntilFailed(run);
          pause = run.hasAcknowledged() ? FIRST_PAUSE : pause;
          if (!stopped) {
            end(run, pause);
          }
        }
        if (!stopped) {
          Thread.sleep(pause.toMillis());
          pause = pause.multipliedBy(2);
          pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        }
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "event=sender_stopped");
    } catch (RuntimeException e) {
      owner.broken(e);
    } catch (Error e) {
      OutOfMemory.endIfIn(e);
      throw e;
    } finally {
      closeCurrent();
    }
  }

  private @Nullable ProducerRun open() {
    try {
      ProducerRun run = newRun(producers.open());
      current = run;
      LOG.log(Level.INFO, "event=producing_again");
      return run;
    } catch (TopicsException | RuntimeException e) {
      counters.notOpened();
      LOG.log(Level.WARNING, "event=not_producing problem={0}", CauseText.of(e));
      return null;
    }
  }

  private void sendUntilFailed(ProducerRun run) throws InterruptedException {
    while (!stopped && run.failure() == null) {
      Outgoing next = queue.poll();
      if (next == null) {
        next = queue.take();
        LockSupport.parkNanos(this, GATHER_NANOS);
      }
      if (next != FAILURE) {
        send(run, next);
      }
    }
  }

  private void send(ProducerRun run, Outgoing next) {
    try {
      Future<?> unused = run.producer().send(next.toSend(run), next); // It calls back.
    } catch (RuntimeException e) {
      next.discard();
      run.failed(e); // Whatever it is: a thread that ended would leave all without an answer.
    }
  }

  private void end(ProducerRun run, Duration pause) throws InterruptedException {
    current = null;
    Exception cause = run.failure();
    String problem = cause == null ? "" : CauseText.of(cause);
    counters.failed();
    LOG.log(
        Level.ERROR,
        "event=produce_failed problem={0} again_in={1}; nothing of it was acknowledged, and"
            + " clients send it again",
        problem,
        pause);
    owner.failed(problem);
    for (Outgoing lost = queue.poll(); lost != null; lost = queue.poll()) {
      lost.discard();
    }
  }

  private void closeCurrent() {
    ProducerRun run = current;
    if (run != null) {
      Thread.interrupted(); // It would not wait for what is under way.
      run.producer().close(CLOSE_PATIENCE);
    }
  }

  /** The metrics of the producer there is; empty while there is none. Any thread. */
  @Nullable Producer<byte[], byte[]> producer() {
    ProducerRun run = current;
    return run == null ? null : run.producer();
  }

  /** Stops. What is not acknowledged by now may be there or not; its clients send it again. */
  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
