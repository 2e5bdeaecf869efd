package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One name, one thing: no two types of the product or of its benchmarks have one simple name. */
class TypeNamesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final List<String> MODULES =
      List.of(
          "client-lib/format",
          "client-lib/client",
          "client-lib/micrometer",
          "client-lib/agent",
          "sidecar",
          "k8s/image/example",
          "tests");

  @Test
  void simpleNames_ofAllModules_differ() throws IOException {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (String module : MODULES) {
      byName.putAll(merged(byName, ROOT.resolve(module).resolve(MAIN)));
    }
    byName.remove("package-info.java");

    assertThat(byName).hasSizeGreaterThan(400);
    assertThat(byName.values().stream().filter(places -> places.size() > 1)).isEmpty();
  }

  private static Map<String, List<Path>> merged(Map<String, List<Path>> known, Path folder)
      throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return Stream.concat(
              known.values().stream().flatMap(List::stream),
              files.filter(file -> file.toString().endsWith(".java")))
          .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    }
  }
}
