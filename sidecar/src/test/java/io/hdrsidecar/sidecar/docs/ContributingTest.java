package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The recipes of CONTRIBUTING.md name files that are there. */
class ContributingTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FILE = Pattern.compile("`([\\w./-]+\\.(?:java|yaml|js|py|md))`");
  private static final Pattern RECIPE = Pattern.compile("(?m)^### Add (.*)$");

  private static String recipes() throws IOException {
    String text = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
    int start = text.indexOf("\n## Recipes\n");
    return text.substring(start, text.indexOf("\n## ", start + 1));
  }

  @Test
  void recipes_files_areThere() throws IOException {
    Set<String> named =
        FILE.matcher(recipes())
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).hasSizeGreaterThan(40);
    Set<String> all = files();
    named.removeIf(name -> all.stream().anyMatch(file -> file.endsWith("/" + name)));
    assertThat(named).as("files that recipes name, and that are not there").isEmpty();
  }

  @Test
  void recipes_areThoseThatAreAskedFor() throws IOException {
    assertThat(RECIPE.matcher(recipes()).results().map(found -> found.group(1)))
        .containsExactly(
            "a setting",
            "a metric",
            "a client figure",
            "a query parameter",
            "a log tool",
            "a frame");
  }

  private static Set<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .map(file -> "/" + ROOT.relativize(file))
          .filter(name -> !name.matches(".*/(target|node_modules|\\.git)/.*"))
          .collect(Collectors.toSet());
    }
  }
}
