package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Documents name the subject of a sentence: no sentence begins with "who" or "what", but a question
 * does, and nowhere stand "whoever" or "for want of". Headings, code, tables' heads and RESULTS.md,
 * which is written by programs, are not looked at.
 */
class PlainEnglishTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE =
      Pattern.compile("(?ms)^ *```.*?^ *```$|^ {4}[^\\n]*$|`[^`]*`|^#[^\\n]*$");
  private static final Pattern EMPHASIS = Pattern.compile("\\*\\*|(?<!\\w)_|_(?!\\w)");
  private static final Pattern LIST_ITEM = Pattern.compile("(?m)^ *(?:[-*]|\\d+\\.) +");
  private static final Pattern CELL = Pattern.compile(" *\\| *");
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "(?i:\\bwhoever\\b|\\bfor want of\\b)[^.\\n]*"
              + "|(?<=\\n|[.!?] )(?:Who|What) [^.?!\\n]*+(?!\\?)"
              + "|(?<=[;:] )who [^.?!\\n]*+(?!\\?)");

  @Test
  void sentences_haveASubject() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      FORBIDDEN
          .matcher(paragraphs(Files.readString(document)))
          .results()
          .forEach(form -> found.add(ROOT.relativize(document) + ": " + form.group()));
    }
    assertThat(found).isEmpty();
  }

  /** Each paragraph, item and cell on one line. */
  private static String paragraphs(String text) {
    String prose = EMPHASIS.matcher(CODE.matcher(text).replaceAll("X")).replaceAll("");
    String items = LIST_ITEM.matcher(prose).replaceAll("\n\n");
    String cells = CELL.matcher(items).replaceAll("\n\n");
    return "\n" + cells.replaceAll(" *\\n(?!\\n) *", " ").replaceAll("\\n\\s+", "\n");
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.endsWith("RESULTS.md"))
          .filter(file -> !file.toString().matches(".*/(target|node_modules|\\.git)/.*"))
          .sorted()
          .toList();
    }
  }
}
