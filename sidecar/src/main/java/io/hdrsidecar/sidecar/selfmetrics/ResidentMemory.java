package io.hdrsidecar.sidecar.selfmetrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the process takes of the machine's memory, heap and everything else, as Linux tells it. */
final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String NAME = "VmRSS:";
  private static final Pattern AMOUNT = Pattern.compile("\\s+(\\d{1,15}) kB");
  private static final double KIBIBYTE = 1024;

  private ResidentMemory() {}

  /** Bytes; not a number where nobody tells. Any thread; reads a file that is in memory. */
  static double bytes() {
    try {
      String status = Files.readString(STATUS);
      int name = status.indexOf(NAME);
      Matcher amount = AMOUNT.matcher(status);
      return name >= 0 && amount.region(name + NAME.length(), status.length()).lookingAt()
          ? Double.parseDouble(amount.group(1)) * KIBIBYTE
          : Double.NaN;
    } catch (IOException e) {
      return Double.NaN; // another operating system
    }
  }
}
