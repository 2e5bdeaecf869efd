package io.hdrsidecar.fleet.node;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** Keeps the lines of a log, each with its parameters behind it. */
final class KeptLines extends Handler {
  private final List<String> lines;

  KeptLines(List<String> lines) {
    this.lines = lines;
  }

  @Override
  public void publish(LogRecord line) {
    Object[] parameters = line.getParameters();
    lines.add(line.getMessage() + List.of(parameters == null ? new Object[0] : parameters));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
