package io.hdrsidecar.fleet.kafka;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/**
 * Waits for what brokers answer, for all answers together no longer than a while, and says so soon
 * and again and again: brokers that are not there are found by those who read a log. One thread.
 */
final class BrokerWait {
  private static final Logger LOG = System.getLogger(BrokerWait.class.getName());

  private final String brokers;
  private final Duration patience;
  private final Duration firstWord;
  private final Duration nextWord;
  private final long begun = System.nanoTime();

  /**
   * Begins to wait.
   *
   * @param brokers where they should be
   * @param patience for all answers together
   * @param firstWord after how much of silence something is said
   * @param nextWord how long after that again
   */
  BrokerWait(String brokers, Duration patience, Duration firstWord, Duration nextWord) {
    this.brokers = brokers;
    this.patience = patience;
    this.firstWord = firstWord;
    this.nextWord = nextWord;
  }

  /**
   * An answer. Blocks.
   *
   * @throws TimeoutException when the while is over; the message says how long it was
   * @throws ExecutionException when the answer is an error
   */
  <T> T of(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = begun + patience.toNanos();
    long word = System.nanoTime() + firstWord.toNanos();
    while (true) {
      long left = deadline - System.nanoTime();
      if (left <= 0 && !answer.isDone()) {
        throw new TimeoutException("no answer within " + patience.toSeconds() + " s.");
      }
      try {
        return answer.get(
            Math.max(1, Math.min(left, word - System.nanoTime())), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (System.nanoTime() - word >= 0) {
          say();
          word += nextWord.toNanos();
        }
      }
    }
  }

  private void say() {
    LOG.log(
        Level.WARNING,
        "event=brokers_silent brokers={0} waited={1} patience={2}; none of them has answered: is"
            + " that their address (kafka.bootstrap-servers), and are they up?",
        brokers,
        Duration.ofSeconds(Duration.ofNanos(System.nanoTime() - begun).toSeconds()),
        patience);
  }
}
