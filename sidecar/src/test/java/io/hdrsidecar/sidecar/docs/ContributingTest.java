package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The recipes of CONTRIBUTING.md name files that are there. */
class ContributingTest {
  private static final Pattern FILE = Pattern.compile("`([\\w./-]+\\.(?:java|yaml|js|py|md))`");
  private static final Pattern RECIPE = Pattern.compile("(?m)^### Add (.*)$");

  private static String recipes() throws IOException {
    String text = Files.readString(ProjectFiles.ROOT.resolve("CONTRIBUTING.md"));
    int start = text.indexOf("\n## Recipes\n");
    return text.substring(start, text.indexOf("\n## ", start + 1));
  }

  private static Set<String> named(String text) {
    return FILE.matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void recipes_files_areThere() throws IOException {
    Set<String> named = named(recipes());
    assertThat(named).hasSizeGreaterThan(40);
    Set<String> all = files();
    named.removeIf(name -> all.stream().anyMatch(file -> file.endsWith("/" + name)));
    assertThat(named).as("files that recipes name, and that are not there").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a setting, max-?steps",
    "a metric, paus",
    "a client figure, resent_?intervals",
    "a client setting, spill[_-]?pickup|picksup",
    "a query parameter, expectedinterval",
    "a log tool, buckets",
    "a frame, health"
  })
  void recipe_files_areOnesOfItsExample(String recipe, Pattern example) throws IOException {
    String text = recipes();
    int start = text.indexOf("### Add " + recipe + "\n");
    int end = text.indexOf("\n### ", start + 1);
    Set<String> all = files();
    for (String name : named(end < 0 ? text.substring(start) : text.substring(start, end))) {
      assertThat(all.stream().filter(file -> file.endsWith("/" + name)))
          .as("%s is about %s", name, example)
          .anyMatch(file -> isAbout(example, ProjectFiles.ROOT.resolve(file.substring(1))));
    }
  }

  private static boolean isAbout(Pattern example, Path file) {
    try {
      return example.matcher(Files.readString(file).toLowerCase(Locale.ROOT)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void recipes_areThoseThatAreAskedFor() throws IOException {
    assertThat(RECIPE.matcher(recipes()).results().map(found -> found.group(1)))
        .containsExactly(
            "a setting",
            "a metric",
            "a client figure",
            "a client setting",
            "a query parameter",
            "a log tool",
            "a frame");
  }

  private static Set<String> files() throws IOException {
    return ProjectFiles.all().stream()
        .map(file -> "/" + ProjectFiles.ROOT.relativize(file))
        .collect(Collectors.toSet());
  }
}
