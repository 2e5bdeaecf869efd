package io.hdrsidecar.sidecar.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a log tool tells people on standard error: warnings, and on a terminal how far it is. Also
 * knows the exit code. One thread at a time.
 */
final class Messages {
  /** Everything was used. */
  static final int OK = 0;

  /** Some input was damaged, missing or not selected, or an output could not be written. */
  static final int PARTLY_UNUSABLE = 1;

  private static final int LINES_TOLD = 10;
  private static final long PROGRESS_NANOS = 300_000_000;
  private static final double MIB = 1 << 20;

  private final PrintStream err;
  private final boolean terminal;
  private final long linesTold;
  private final long startNanos = System.nanoTime();
  private long lastProgressNanos = startNanos;
  private boolean progressShown;
  private int exitCode = OK;
  private long linesRefused;
  private final List<String> unused = new ArrayList<>();

  /**
   * Messages to a console.
   *
   * @param all whether every line that is left out is told, or ten of each file
   */
  Messages(LogConsole console, boolean all) {
    this.linesTold = all ? Long.MAX_VALUE : LINES_TOLD;
    this.err = console.err();
    this.terminal = console.terminal();
  }

  int exitCode() {
    return exitCode;
  }

  /** Something cannot be used, or written: exit code 1. */
  void warn(String message) {
    exitCode = PARTLY_UNUSABLE;
    note(message);
  }

  /** Something people should know, without a failure. */
  void note(String message) {
    clearProgress();
    err.println(message);
  }

  /** A line cannot be used; after some of a file the rest is only counted. */
  void refused(String file, long line, String message) {
    exitCode = PARTLY_UNUSABLE;
    if (linesRefused++ < linesTold) {
      note(file + ":" + line + ": line left out: " + message);
    }
  }

  /** Nothing of a log is used, though it is whole; told if nothing of any other is, either. */
  void unused(String why) {
    unused.add(why);
  }

  /** A command has nothing to show: tells why, of each log, unless that has been told already. */
  void warnOfNothing() {
    if (unused.isEmpty() && exitCode == OK) {
      warn("no interval was selected");
    }
    unused.forEach(this::warn);
    unused.clear();
  }

  /** The file is read; says how many lines were left out beyond those told. */
  void endOf(String file) {
    if (linesRefused > linesTold) {
      note(file + ": " + linesRefused + " lines left out, the first " + linesTold + " above");
    }
    linesRefused = 0;
    clearProgress();
  }

  /**
   * Shows how far the reading is, a few times a second and only on a terminal.
   *
   * @param total 0 when it is not known
   */
  void progress(String file, long bytes, long total) {
    if (!terminal) {
      return;
    }
    long now = System.nanoTime();
    if (now - lastProgressNanos < PROGRESS_NANOS) {
      return;
    }
    lastProgressNanos = now;
    progressShown = true;
    String share = total == 0 ? "" : String.format(Locale.ROOT, "%3d %% of ", bytes * 100 / total);
    double speed = bytes / MIB / ((now - startNanos) / 1e9);
    err.printf(Locale.ROOT, "\r%s%s, %.0f MiB, %.0f MiB/s ", share, file, bytes / MIB, speed);
    err.flush();
  }

  private void clearProgress() {
    if (progressShown) {
      err.print("\r\033[K");
      progressShown = false;
    }
  }
}
