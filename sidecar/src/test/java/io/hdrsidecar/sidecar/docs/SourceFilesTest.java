package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Java files of all modules: short enough to be read, and each of a name of its own. */
class SourceFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final int MOST_LINES = 400;
  private static final List<String> MODULES =
      List.of(
          "client-lib/format",
          "client-lib/client",
          "client-lib/micrometer",
          "client-lib/spring-boot",
          "client-lib/spring-boot-3",
          "client-lib/spring-boot-4",
          "client-lib/agent",
          "sidecar",
          "fleet",
          "fleet/demo",
          "k8s/image/example",
          "tests");

  private static List<Path> files(String kind) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : MODULES) {
      Path folder = ROOT.resolve(module).resolve("src").resolve(kind).resolve("java");
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
        }
      }
    }
    assertThat(all).hasSizeGreaterThan(400);
    return all;
  }

  /** One name, one thing: no two types of the product or of its benchmarks have one simple name. */
  @Test
  void simpleNames_ofMain_differ() throws IOException {
    Map<String, List<Path>> byName =
        files("main").stream()
            .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    byName.remove("package-info.java");

    assertThat(byName.values().stream().filter(places -> places.size() > 1)).isEmpty();
  }

  @Test
  void lines_ofMainAndTests_areAtMost400() throws IOException {
    List<String> longer = new ArrayList<>();
    for (String kind : List.of("main", "test")) {
      for (Path file : files(kind)) {
        int lines = Files.readAllLines(file).size();
        if (lines > MOST_LINES) {
          longer.add(file + " has " + lines);
        }
      }
    }
    assertThat(longer).as("give a real thing in it a type of its own").isEmpty();
  }
}
