package io.hdrsidecar.tests.fuzz;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps damaged files' many warnings off the console, and remembers what is logged as an error. */
final class LogCapture extends Handler implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final Handler[] others = root.getHandlers();
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  LogCapture() {
    for (Handler other : others) {
      root.removeHandler(other);
    }
    root.addHandler(this);
  }

  @Override
  public void publish(LogRecord logged) {
    if (logged.getLevel().intValue() >= Level.SEVERE.intValue()) {
      errors.add(logged.getLoggerName() + ": " + logged.getMessage() + " " + logged.getThrown());
    }
  }

  /** What was logged as an error so far. */
  Queue<String> errors() {
    return errors;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
    for (Handler other : others) {
      root.addHandler(other);
    }
  }
}
