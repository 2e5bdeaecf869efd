package io.hdrsidecar.sidecar.logs;

import java.util.logging.Level;

/** From which severity on lines are logged, by the names that everybody uses. */
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR;

  /** The same in java.util.logging. */
  Level javaLevel() {
    return switch (this) {
      case DEBUG -> Level.FINE;
      case INFO -> Level.INFO;
      case WARN -> Level.WARNING;
      case ERROR -> Level.SEVERE;
    };
  }

  /** The usual name for a level of java.util.logging. */
  static LogLevel of(Level level) {
    LogLevel found = DEBUG;
    for (LogLevel candidate : values()) {
      if (candidate.javaLevel().intValue() <= level.intValue()) {
        found = candidate;
      }
    }
    return found;
  }
}
