package io.hdrsidecar.sidecar.upstream;

import java.lang.System.Logger;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Makes sentences of the client's sender events of this process. */
final class EventLogger implements Logger {
  private final Logger log;

  EventLogger(Logger log) {
    this.log = log;
  }

  @Override
  public String getName() {
    return log.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLoggable(level);
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
    log.log(level, "event=upstream what=\"" + escaped(message) + "\"", thrown);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      String format,
      @Nullable Object @Nullable ... params) {
    log.log(level, "event=upstream what={0}", format);
  }

  private static String escaped(String message) {
    return message.replace('"', '\'');
  }
}
