package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where a profile was found: how many samples each thread and each method at the top of a stack
 * has.
 */
final class TopFrames {
  private final Map<String, Long> byFrame = new HashMap<>();
  private final Map<String, Long> byThread = new HashMap<>();
  private long samples;

  private TopFrames() {}

  /**
   * Reads async-profiler's collapsed stacks with threads: {@code [thread];frame;...;frame samples}
   * in each line.
   */
  static TopFrames ofCollapsed(Path file) throws IOException {
    TopFrames top = new TopFrames();
    for (String line : Files.readAllLines(file)) {
      int space = line.lastIndexOf(' ');
      String stack = line.substring(0, space);
      int first = stack.indexOf(';');
      top.add(
          first < 0 ? stack : stack.substring(0, first),
          stack.substring(stack.lastIndexOf(';') + 1).replace('/', '.'),
          Long.parseLong(line.substring(space + 1)));
    }
    return top;
  }

  /** Reads a recording of the JDK: threads that ran Java code only, native code is not in it. */
  static TopFrames ofRecording(Path file) throws IOException {
    TopFrames top = new TopFrames();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")
            && event.getStackTrace() != null
            && !event.getStackTrace().getFrames().isEmpty()) {
          RecordedFrame frame = event.getStackTrace().getFrames().get(0);
          RecordedMethod method = frame.getMethod();
          top.add(
              "[" + event.getThread("sampledThread").getJavaName() + "]",
              method.getType().getName() + "." + method.getName(),
              1);
        }
      }
    }
    return top;
  }

  private void add(String thread, String frame, long count) {
    byThread.merge(thread.replaceAll(" tid=\\d+", ""), count, Long::sum);
    byFrame.merge(frame, count, Long::sum);
    samples += count;
  }

  long samples() {
    return samples;
  }

  /** The methods with most samples, as a table. */
  String frames(int most) {
    return table("method, itself", byFrame, most);
  }

  /** The threads with most samples, as a table. */
  String threads(int most) {
    return table("thread", byThread, most);
  }

  private String table(String title, Map<String, Long> counts, int most) {
    StringBuilder table = new StringBuilder("| " + title + " | share |\n|---|---|\n");
    List<Map.Entry<String, Long>> sorted =
        counts.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
            .limit(most)
            .toList();
    for (Map.Entry<String, Long> entry : sorted) {
      table.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %.1f %% |%n",
              entry.getKey(),
              100.0 * entry.getValue() / samples));
    }
    return table.toString();
  }
}
