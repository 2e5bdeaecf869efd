package io.hdrsidecar.sidecar.selfmetrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the process takes of the machine's memory, heap and everything else, as Linux tells it. */
final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern LINE = Pattern.compile("VmRSS:\\s+(\\d{1,15}) kB");
  private static final double KIBIBYTE = 1024;

  private ResidentMemory() {}

  /** Bytes; not a number where nobody tells. Any thread; reads a file that is in memory. */
  static double bytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .mapToDouble(line -> Double.parseDouble(line.group(1)) * KIBIBYTE)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException | UncheckedIOException e) {
      return Double.NaN; // another operating system
    }
  }
}
