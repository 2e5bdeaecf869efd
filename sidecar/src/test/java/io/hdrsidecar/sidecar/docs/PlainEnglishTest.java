package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Documents name the subject of a sentence: no sentence begins with "who" or "what", but a question
 * does, no person is only a "who" behind "for", "to" or "of", and nowhere stand "whoever" or "for
 * want of". Headings, code, tables' heads and RESULTS.md, which is written by programs, are not
 * looked at. The document of the API, descriptions of packages, and the Javadoc of what users of
 * the client libraries see, are held to the same. Of main sources only words are looked at, since a
 * comment may be a noun: "Who speaks".
 */
class PlainEnglishTest {
  private static final Pattern CODE =
      Pattern.compile("(?ms)^ *```.*?^ *```$|^ {4}[^\\n]*$|`[^`]*`|^#[^\\n]*$");
  private static final Pattern EMPHASIS = Pattern.compile("\\*\\*|(?<!\\w)_|_(?!\\w)");
  private static final Pattern LIST_ITEM = Pattern.compile("(?m)^ *(?:[-*]|\\d+\\.) +");
  private static final Pattern CELL = Pattern.compile(" *\\| *");

  /** A person who has no other name: "proof of who may send". */
  private static final String ONLY_WHO = "\\b(?:for|to|by|of|from|beyond|than|but) +who\\b";

  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "(?i:\\bwhoever\\b|\\bfor want of\\b)[^.\\n]*"
              + ("|" + ONLY_WHO + "[^.\\n]*")
              + "|(?<=\\n|[.!?] )(?:Who|What) [^.?!\\n]*+(?!\\?)"
              + "|(?<=[;:] )who [^.?!\\n]*+(?!\\?)");

  /** The end of a line, with the sign of a comment at the begin of the next. */
  private static final Pattern MARGIN = Pattern.compile("\\n *(?:/\\*\\*|\\*/|\\*|//)? ?");

  private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");

  private static final Pattern UNCLEAR =
      Pattern.compile(
          "(?i)\\bwhoever\\b.{0,40}|\\bfor +want +of\\b.{0,20}|" + ONLY_WHO + ".{0,40}");

  @Test
  void sentences_haveASubject() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      FORBIDDEN
          .matcher(paragraphs(Files.readString(document)))
          .results()
          .forEach(form -> found.add(ProjectFiles.ROOT.relativize(document) + ": " + form.group()));
    }
    assertThat(found).isEmpty();
  }

  @Test
  void api_isDescribedBySentencesWithASubject() throws IOException {
    String text =
        Files.readString(
            ProjectFiles.ROOT.resolve(
                "sidecar/src/main/resources/io/hdrsidecar/sidecar/api/openapi.yaml"));
    String prose = text.replaceAll("(?m)^ +", "").replaceAll("[\"']", "");
    assertThat(prose).contains("description: >-");
    assertThat(FORBIDDEN.matcher(paragraphs(prose)).results().map(MatchResult::group)).isEmpty();
  }

  @Test
  void packages_areDescribedBySentencesWithASubject() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : mainSources()) {
      if (source.endsWith("package-info.java")) {
        addForbidden(source, Files.readString(source), found);
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void publicApi_isDescribedBySentencesWithASubject() throws IOException {
    List<String> found = new ArrayList<>();
    int comments = 0;
    for (Path source : mainSources()) {
      String name = ProjectFiles.ROOT.relativize(source).toString();
      if (name.startsWith("client-lib") && !name.contains("/internal/")) {
        Matcher javadoc = JAVADOC.matcher(Files.readString(source));
        while (javadoc.find()) {
          comments++;
          addForbidden(source, javadoc.group(1).strip(), found);
        }
      }
    }
    assertThat(comments).isGreaterThan(250);
    assertThat(found).isEmpty();
  }

  private static void addForbidden(Path source, String comment, List<String> found) {
    String prose = MARGIN.matcher(comment).replaceAll("\n");
    FORBIDDEN
        .matcher(paragraphs(prose.replaceAll("<(?:p|li)>|\\n(?=@)", "\n\n")))
        .results()
        .forEach(form -> found.add(ProjectFiles.ROOT.relativize(source) + ": " + form.group()));
  }

  @Test
  void mainSources_nameThePersonAndTheReason() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : mainSources()) {
      UNCLEAR
          .matcher(MARGIN.matcher(Files.readString(source)).replaceAll(" "))
          .results()
          .forEach(form -> found.add(ProjectFiles.ROOT.relativize(source) + ": " + form.group()));
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

  private static List<Path> mainSources() throws IOException {
    return ProjectFiles.matching(".*/src/main/.*\\.java");
  }

  private static List<Path> documents() throws IOException {
    return ProjectFiles.matching("(?!.*RESULTS\\.md$).*\\.md");
  }
}
