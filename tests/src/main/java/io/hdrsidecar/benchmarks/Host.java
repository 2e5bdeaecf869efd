package io.hdrsidecar.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machine that is measured on, as sections of the results file name it. */
public final class Host {
  private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+)*");

  private Host() {}

  /** {@code 4 × Intel(R) Xeon(R) CPU, Linux 6.18.44}. */
  public static String text() {
    return Runtime.getRuntime().availableProcessors()
        + " × "
        + processor()
        + ", "
        + System.getProperty("os.name")
        + " "
        + withoutBuild(System.getProperty("os.version"));
  }

  /** {@code OpenJDK 64-Bit Server VM 17.0.14+7}: the JVM of this process. */
  public static String jvm() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
  }

  /** {@code 6.18.44} of {@code 6.18.44-cloud-7}: what follows names a build of the kernel. */
  static String withoutBuild(String version) {
    Matcher numbers = NUMBERS.matcher(version);
    return numbers.lookingAt() ? numbers.group() : version;
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 2))
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // not Linux
    }
  }

  /**
   * Load average over a minute, such as {@code 0.42}.
   *
   * @throws IOException where the kernel does not tell it as Linux does
   */
  public static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }
}
