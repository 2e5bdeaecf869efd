package io.hdrsidecar.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A folder in memory for what a test does, with the crash folder in it. */
final class CrashFolder implements BeforeEachCallback, AfterEachCallback {
  private static final Pattern RECORDING = Pattern.compile("recording");

  private final Processes processes;
  private Path folder = Path.of("set before each test");

  CrashFolder(Processes processes) {
    this.processes = processes;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    folder = Files.createTempDirectory(Path.of("/dev/shm"), "hdr-crash");
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** A folder like this in it, for what is done beside other things. */
  CrashFolder beside(int number) throws IOException {
    CrashFolder other = new CrashFolder(processes);
    other.folder = Files.createDirectory(resolve("beside-" + number));
    return other;
  }

  /** Something of the test's own. */
  Path resolve(String name) {
    return folder.resolve(name);
  }

  /** Where clients have their files. */
  Path path() {
    return folder.resolve("crash");
  }

  /** The files of clients that are not picked up. */
  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(path())) {
      return files.filter(file -> file.toString().contains("crash-")).toList();
    }
  }

  void awaitNoFiles() throws Exception {
    Eventually.holds(() -> assertThat(files()).isEmpty());
  }

  /** Starts a service that records, and waits until it does. */
  JavaProcess victim(String address, Map<String, String> more, String... arguments)
      throws InterruptedException {
    Map<String, String> variables = new HashMap<>();
    variables.put("HDR_SIDECAR_ADDRESS", address);
    variables.put("HDR_SIDECAR_CRASH_FOLDER", path().toString());
    variables.put(
        "JAVA_TOOL_OPTIONS",
        "-XX:+UseSerialGC -Xmx64m -XX:ErrorFile=/dev/null -XX:-CreateCoredumpOnCrash");
    variables.putAll(more);
    JavaProcess victim = processes.start(Victim.class, variables, arguments);
    victim.awaitLine(RECORDING);
    return victim;
  }
}
