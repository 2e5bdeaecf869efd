package io.hdrsidecar.agent;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes the client's lines to stderr. The first use of the JDK's own loggers starts {@code
 * java.util.logging}: before main, so that a program which chooses its manager there could not do
 * so any more. Any thread.
 */
final class StderrLogger implements System.Logger {
  @Override
  public String getName() {
    return "hdr-sidecar agent";
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.getSeverity() >= Level.INFO.getSeverity() && level != Level.OFF;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      System.err.println(getName() + ": " + level + ": " + message);
      if (thrown != null) {
        thrown.printStackTrace();
      }
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    boolean isPlain = format == null || parameters == null || parameters.length == 0;
    log(
        level,
        bundle,
        isPlain ? format : MessageFormat.format(format, parameters),
        (Throwable) null);
  }
}
