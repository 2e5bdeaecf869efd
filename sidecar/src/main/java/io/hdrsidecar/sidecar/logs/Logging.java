package io.hdrsidecar.sidecar.logs;

import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The log of the whole process: one line per event on standard error, and of events that happen
 * often not every one, see {@link LineLimits}.
 */
public final class Logging {
  /** Kept here, since the log manager forgets loggers nobody holds, and their levels with them. */
  private static final List<Logger> LIBRARIES =
      List.of(
          Logger.getLogger("io.vertx"),
          Logger.getLogger("io.netty"),
          Logger.getLogger("io.smallrye"));

  /** Of the process, as its log is: who installs a log anew gets no new places. */
  private static final LineLimits LIMITS = new LineLimits(System::nanoTime);

  private Logging() {}

  /** Makes the whole process log so. */
  public static void install(LogConfig config) {
    LogManager.getLogManager().reset();
    Handler console = new LimitedConsole(LIMITS);
    console.setFormatter(config.format().formatter());
    console.setLevel(Level.ALL);
    Logger.getLogger("").addHandler(OutOfMemory.logHandler());
    Logger.getLogger("").addHandler(console);
    setLevel(config.level());
  }

  /** From which severity on lines are logged from now on. Any thread. */
  public static void setLevel(LogLevel level) {
    Logger.getLogger("").setLevel(level.javaLevel());
    // What libraries say below a warning is about themselves, also while this program is examined.
    Level ofLibraries = level == LogLevel.ERROR ? Level.SEVERE : Level.WARNING;
    LIBRARIES.forEach(library -> library.setLevel(ofLibraries));
  }

  /** Lines left out so far, as there were too many of their kind. Any thread. */
  public static long suppressedLines() {
    return LIMITS.leftOut();
  }

  /**
   * A line in the form of the log, for what goes to standard output.
   *
   * @param source who says it
   * @param template such as {@code event=ready http={0}}
   * @param values for the places in it
   */
  public static String line(LogFormat format, Class<?> source, String template, Object... values) {
    LogRecord log = new LogRecord(Level.INFO, template);
    log.setLoggerName(source.getName());
    log.setParameters(values);
    return format.formatter().format(log).stripTrailing();
  }

  /** What is shown of it: what the log does not show. */
  public static List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "log.suppressed",
            "Lines left out of the log, as there were too many of their kind",
            Logging::suppressedLines));
  }
}
