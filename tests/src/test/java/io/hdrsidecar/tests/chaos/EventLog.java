package io.hdrsidecar.tests.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** What happened when, in a file: the schedule says what was meant to. */
final class EventLog {
  private final Path file;
  private final long start = System.nanoTime();

  EventLog(Path file) {
    this.file = file;
  }

  /** Any thread. */
  synchronized void write(String event) throws IOException {
    double seconds = (System.nanoTime() - start) / 1e9;
    Files.writeString(
        file,
        String.format(Locale.ROOT, "%9.3f s  %s%n", seconds, event),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
