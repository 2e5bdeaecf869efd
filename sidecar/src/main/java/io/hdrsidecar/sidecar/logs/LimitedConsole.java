package io.hdrsidecar.sidecar.logs;

import java.util.logging.ConsoleHandler;
import java.util.logging.LogRecord;

/** Standard error, as far as {@link LineLimits} let lines pass. */
final class LimitedConsole extends ConsoleHandler {
  private final LineLimits limits;

  LimitedConsole(LineLimits limits) {
    this.limits = limits;
  }

  @Override
  public synchronized void publish(LogRecord log) {
    if (!isLoggable(log)) {
      return;
    }
    long leftOut = limits.admit(log);
    if (leftOut > 0) {
      log.setMessage(log.getMessage() + " suppressed=" + leftOut);
    }
    if (leftOut >= 0) {
      super.publish(log);
    }
  }
}
