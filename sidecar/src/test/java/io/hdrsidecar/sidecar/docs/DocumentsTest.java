package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every document keeps to: lengths, widths, and links that lead somewhere. */
class DocumentsTest {
  private static final int MOST_LINES = 250;
  private static final Map<String, Integer> SHORTER = Map.of("README.md", 120);
  private static final int WIDTH = 100;
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  @Test
  void pages_areShort() throws IOException {
    List<String> long_ = new ArrayList<>();
    for (Path page : pages()) {
      int most = SHORTER.getOrDefault(name(page), MOST_LINES);
      int lines = Files.readAllLines(page).size();
      if (lines > most) {
        long_.add(name(page) + " has " + lines + " lines, at most " + most + " are wanted");
      }
    }
    assertThat(long_).isEmpty();
  }

  @Test
  void prose_isWrapped() throws IOException {
    List<String> wide = new ArrayList<>();
    for (Path document : documents()) {
      int number = 0;
      for (String line : withoutCode(Files.readString(document)).split("\n", -1)) {
        number++;
        if (line.length() > WIDTH && !mayBeWide(line)) {
          wide.add(name(document) + ":" + number + " has " + line.length() + " characters");
        }
      }
    }
    assertThat(wide).isEmpty();
  }

  /** Rows of tables, links, indented code, and code or a word that is as wide as the line. */
  private static boolean mayBeWide(String line) {
    return line.startsWith("|")
        || line.contains("](")
        || line.startsWith("    ")
        || !CODE_SPAN.matcher(line).replaceAll("").strip().contains(" ");
  }

  /** Where the frame of a box has a corner, its rows have a side. */
  @Test
  void drawings_haveStraightSides() throws IOException {
    List<String> crooked = new ArrayList<>();
    for (Path document : documents()) {
      String frame = "";
      for (String line : Files.readString(document).split("\n", -1)) {
        if (line.startsWith("+-")) {
          frame = line;
        } else if (!line.startsWith("|")) {
          frame = "";
        } else if (!hasSidesOf(frame, line)) {
          crooked.add(name(document) + ": " + line);
        }
      }
    }
    assertThat(crooked).isEmpty();
  }

  private static boolean hasSidesOf(String frame, String line) {
    return IntStream.range(0, frame.length())
        .filter(column -> frame.charAt(column) == '+')
        .allMatch(column -> column < line.length() && line.charAt(column) == '|');
  }

  @Test
  void links_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(withoutCode(Files.readString(document)));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains("://") && !target.startsWith("mailto:") && !leads(document, target)) {
          broken.add(name(document) + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path path = file.isEmpty() ? document : document.resolveSibling(file).normalize();
    if (!Files.exists(path)) {
      return false;
    }
    return hash < 0 || headings(path).contains(target.substring(hash + 1));
  }

  /** Headings as GitHub spells them in links; the second of one name ends with -1. */
  private static Set<String> headings(Path document) throws IOException {
    Set<String> headings = new HashSet<>();
    for (String line : withoutCode(Files.readString(document)).split("\n", -1)) {
      if (line.startsWith("#")) {
        String text = line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT);
        String slug = text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
        String unique = slug;
        for (int i = 1; !headings.add(unique); i++) {
          unique = slug + "-" + i;
        }
      }
    }
    return headings;
  }

  /** The text with fenced code blanked, line by line. */
  private static String withoutCode(String text) {
    return FENCE.matcher(text).replaceAll(found -> "\n".repeat(newlines(found.group())));
  }

  private static int newlines(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  private static String name(Path file) {
    return ProjectFiles.ROOT.relativize(file).toString();
  }

  /** The pages that people read from front to end. */
  private static List<Path> pages() throws IOException {
    return documents().stream()
        .filter(
            file -> name(file).matches("README.md|ARCHITECTURE.md|client-lib/README.md|docs/.*"))
        .toList();
  }

  private static List<Path> documents() throws IOException {
    return ProjectFiles.matching(".*\\.md");
  }
}
