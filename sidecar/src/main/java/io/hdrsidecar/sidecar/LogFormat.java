package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** One line per event on standard error, {@code key=value}. */
final class LogFormat extends Formatter {
  /** Kept here, since the log manager forgets loggers nobody holds, and their levels with them. */
  private static final Logger VERTX = Logger.getLogger("io.vertx");

  private static final Logger NETTY = Logger.getLogger("io.netty");
  private static final Logger SMALLRYE = Logger.getLogger("io.smallrye");

  /** Two event loops that meet the same meter first both register it, which is harmless. */
  private static final Logger METERS =
      Logger.getLogger("io.micrometer.core.instrument.MeterRegistry");

  /** Makes this the format of the whole process. */
  static void install(Level level) {
    LogManager.getLogManager().reset();
    Handler console = new ConsoleHandler();
    console.setFormatter(new LogFormat());
    console.setLevel(Level.ALL);
    Logger root = Logger.getLogger("");
    root.addHandler(OutOfMemory.logHandler());
    root.addHandler(console);
    root.setLevel(level);
    VERTX.setLevel(Level.WARNING);
    NETTY.setLevel(Level.WARNING);
    SMALLRYE.setLevel(Level.WARNING);
    METERS.setLevel(Level.SEVERE);
  }

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder(160);
    line.append("time=")
        .append(record.getInstant().truncatedTo(ChronoUnit.MILLIS))
        .append(" level=")
        .append(record.getLevel().getName())
        .append(" logger=")
        .append(shortName(String.valueOf(record.getLoggerName())))
        .append(' ')
        .append(formatMessage(record).replace('\n', ' '))
        .append('\n');
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      line.append(trace);
    }
    return line.toString();
  }

  private static String shortName(String loggerName) {
    return loggerName.substring(loggerName.lastIndexOf('.') + 1);
  }
}
