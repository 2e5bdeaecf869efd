package io.hdrsidecar.sidecar.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Prometheus' own checker, from the variable PROMTOOL or the path. Without it a test is skipped,
 * unless HDR_SIDECAR_REQUIRE_REAL_PARTS is true.
 */
public final class Promtool {
  private Promtool() {}

  /** Fails unless {@code promtool check metrics} accepts the page without a word. */
  public static void assertSilentOn(String page) throws Exception {
    assertThat(complaints(page)).isEmpty();
  }

  /** What {@code promtool check metrics} says, line by line. */
  public static List<String> complaints(String page) throws Exception {
    Path promtool = required();
    Path input = Files.createTempFile("metrics", ".txt");
    Path output = Files.createTempFile("promtool", ".txt");
    try {
      Files.writeString(input, page);
      Process process =
          new ProcessBuilder(promtool.toString(), "check", "metrics")
              .redirectInput(input.toFile())
              .redirectOutput(output.toFile())
              .redirectErrorStream(true)
              .start();
      int exit = process.waitFor();
      List<String> complaints = Files.readAllLines(output, StandardCharsets.UTF_8);
      assertThat(exit == 0)
          .as("exit code %d, %s", exit, complaints)
          .isEqualTo(complaints.isEmpty());
      return complaints;
    } finally {
      Files.delete(input);
      Files.delete(output);
    }
  }

  private static Path required() {
    Optional<Path> found = find();
    boolean mustBeThere = Boolean.parseBoolean(System.getenv("HDR_SIDECAR_REQUIRE_REAL_PARTS"));
    assertThat(mustBeThere && found.isEmpty())
        .as("promtool is required, but neither PROMTOOL nor the path has it")
        .isFalse();
    assumeTrue(found.isPresent(), "promtool not found; set PROMTOOL to its path to run this test");
    return found.orElseThrow();
  }

  private static Optional<Path> find() {
    String named = System.getenv("PROMTOOL");
    Stream<Path> onPath =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "promtool"));
    return Stream.concat(Stream.ofNullable(named).map(Path::of), onPath)
        .filter(Files::isExecutable)
        .findFirst();
  }
}
