package io.hdrsidecar.sidecar.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What a logger and those below it say, down to FINE, until this is closed. Any thread. */
public final class WatchedLog implements AutoCloseable {
  private final Logger logger;
  private final @Nullable Level before;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          records.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Watches from now on. */
  public WatchedLog(String name) {
    logger = Logger.getLogger(name);
    before = logger.getLevel();
    logger.setLevel(Level.FINE);
    logger.addHandler(handler);
  }

  /** All lines of at least this level, with their exceptions, as they were written in code. */
  public List<String> from(Level level) {
    return records.stream()
        .filter(each -> each.getLevel().intValue() >= level.intValue())
        .map(each -> each.getMessage() + (each.getThrown() == null ? "" : " " + each.getThrown()))
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(before);
  }
}
