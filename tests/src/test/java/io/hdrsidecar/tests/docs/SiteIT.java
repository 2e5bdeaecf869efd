package io.hdrsidecar.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site as it is published, but for Javadoc. */
final class SiteIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern SHOWN =
      Pattern.compile("(?s)<h[1-6] id=.*?>(.*?)<a class=.headerlink");
  private static final Pattern LINK = Pattern.compile("<a [^>]*?href=\"([^\"#]+)");

  /** What a browser fetches without being asked, from another site. */
  private static final Pattern FETCHED =
      Pattern.compile(
          "<(?:script|img|iframe|source)\\b[^>]*\\bsrc=\"?(?:https?:)?//[^>]*"
              + "|<link\\b(?![^>]*rel=\"?(?:canonical|next|prev))[^>]*\\bhref=\"?(?:https?:)?//[^>]*"
              + "|class=\"?mermaid");

  private static final Pattern FETCHED_BY_STYLE =
      Pattern.compile("url\\([\"']?(?:https?:)?//|@import");

  @TempDir private static Path site = Path.of("");

  @BeforeAll
  static void build() throws Exception {
    String python =
        Tool.python(
            "site-python", List.of("--no-compile", "-r", ROOT + "/.ci/site/requirements.txt"));
    Tool.run(List.of(".ci/build-site", "--python", python, site.toString()), ROOT);
  }

  private static List<Path> files(Path folder, String kind) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(kind)).sorted().toList();
    }
  }

  @Test
  void documents_areTherePageByPage_withTheirHeadings() throws IOException {
    List<Path> documents = files(ROOT.resolve("docs"), ".md");
    assertThat(documents).hasSizeGreaterThan(40);
    for (Path document : documents) {
      String page = ROOT.relativize(document).toString().replaceFirst("README.md$", "index.md");
      String html = Files.readString(site.resolve(page.replaceFirst("md$", "html")));

      String text = FENCE.matcher(Files.readString(document)).replaceAll("");
      assertThat(SHOWN.matcher(html).results().map(SiteIT::plain))
          .as("%s", document)
          .isNotEmpty()
          .containsExactlyElementsOf(HEADING.matcher(text).results().map(SiteIT::plain).toList());
    }
  }

  /** A heading of a document or of a page, without what makes it look like one. */
  private static String plain(MatchResult heading) {
    return heading
        .group(1)
        .replaceAll("<[^>]*>|`", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
        .strip();
  }

  @Test
  void links_leadToFilesOfTheSite() throws IOException {
    for (Path page : files(site, ".html")) {
      assertThat(LINK.matcher(Files.readString(page)).results().map(link -> link.group(1)))
          .filteredOn(link -> !link.contains(":") && !link.startsWith("/"))
          .as("%s", page)
          .allSatisfy(link -> assertThat(page.resolveSibling(link)).exists());
    }
  }

  @Test
  void pages_askNoOtherSite() throws IOException {
    for (Path page : files(site, ".html")) {
      assertThat(FETCHED.matcher(Files.readString(page)).results().map(MatchResult::group))
          .as("%s", page)
          .isEmpty();
    }
    for (Path style : files(site, ".css")) {
      assertThat(FETCHED_BY_STYLE.matcher(Files.readString(style)).results())
          .as("%s", style)
          .isEmpty();
    }
  }
}
