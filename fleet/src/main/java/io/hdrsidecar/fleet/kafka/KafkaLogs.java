package io.hdrsidecar.fleet.kafka;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What Kafka's clients say in our log: what is wrong, and not each of their settings. */
public final class KafkaLogs {
  /** Held here, as the JDK holds loggers weakly. */
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("org.apache.kafka"),
          Logger.getLogger("kafka"),
          Logger.getLogger("state.change.logger"));

  private KafkaLogs() {}

  /** From now on warnings and errors alone. */
  public static void quieten() {
    LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
  }
}
