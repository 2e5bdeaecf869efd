package io.hdrsidecar.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines a process prints, read by a thread of their own while it runs. Any thread may ask. */
public final class ProcessLines {
  private final Process process;
  private final List<String> lines = new ArrayList<>(); // guarded by itself
  private final Thread reader;

  /** Begins to read at once. */
  public ProcessLines(Process process) {
    this.process = process;
    this.reader = new Thread(this::readLines, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void readLines() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("(cut off: " + e.getMessage() + ")"); // as it is when the process is killed
    }
  }

  private void add(String line) {
    synchronized (lines) {
      lines.add(line);
      lines.notifyAll();
    }
  }

  /**
   * Waits for a line in which the pattern is found, among those that were printed before, too.
   *
   * @throws IOException when the output ends without one, or there is none after so long
   */
  public Matcher awaitLine(Pattern pattern, Duration patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    synchronized (lines) {
      for (int next = 0; ; next++) {
        while (next == lines.size() && reader.isAlive() && System.nanoTime() - deadline < 0) {
          lines.wait(100);
        }
        if (next == lines.size()) {
          throw new IOException("no line with " + pattern);
        }
        Matcher matcher = pattern.matcher(lines.get(next));
        if (matcher.find()) {
          return matcher;
        }
      }
    }
  }

  /** Waits for the last of it, so long at most. */
  public void awaitEnd(Duration patience) throws InterruptedException {
    reader.join(patience.toMillis());
  }

  /** All lines so far. */
  @Override
  public String toString() {
    synchronized (lines) {
      return String.join(System.lineSeparator(), lines);
    }
  }
}
