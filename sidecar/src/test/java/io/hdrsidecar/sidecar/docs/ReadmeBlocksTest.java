package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each block of code in README is run by a test, or says why not, in a comment before it: {@code
 * runnable} (Java by {@code RunnableJavaTest}, commands by {@code RunnableCommandsIT}), {@code
 * file: NAME} (used by a command), {@code from: FILE} (is in that file, which a test runs), or
 * {@code not run: REASON}.
 */
class ReadmeBlocksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?ms)(?:^<!-- (?<mark>[^>]*?) -->\\n\\n)?"
              + "(?:^```\\w*\\n(?<fenced>.*?)^```$|(?<=\\n\\n)(?:^ {4}[^\\n]*\\n)+)");
  private static final Pattern MARK =
      Pattern.compile("runnable(: serves)?|file: \\S+|from: \\S+|not run: .{5,}");

  @Test
  void readme_eachBlock_isRunOrSaysWhyNot() throws IOException {
    List<String> unmarked =
        BLOCK
            .matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .filter(block -> !isMarked(block))
            .map(MatchResult::group)
            .toList();
    assertThat(unmarked).isEmpty();
  }

  private static boolean isMarked(MatchResult block) {
    return block.group(1) != null && MARK.matcher(block.group(1)).matches();
  }

  @Test
  void pages_blocksFromAFile_areInIt() throws IOException {
    int found = 0;
    for (Path page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        String mark = block.group("mark");
        if (mark != null && mark.startsWith("from: ")) {
          String file = Files.readString(ROOT.resolve(mark.substring("from: ".length())));
          assertThat(unindented(file)).contains(unindented(block.group("fenced")));
          found++;
        }
      }
    }
    assertThat(found).isPositive();
  }

  private static String unindented(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
          .filter(page -> page.toString().endsWith(".md"))
          .toList();
    }
  }
}
