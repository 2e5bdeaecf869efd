package io.hdrsidecar.client.micrometer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a logger says, with its parameters put in, until this is closed. Any thread. */
final class Warnings implements AutoCloseable {
  private final Logger logger;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord logged) {
          said.add(formatter.formatMessage(logged));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Watches from now on. */
  Warnings(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(handler);
  }

  List<String> said() {
    return List.copyOf(said);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
