package io.hdrsidecar.tests.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * What was seen in the browser, test by test: {@code target/explorer/report.html}, for whoever
 * wants to look. One for all test classes of a run, written anew after each of them.
 */
final class BrowserReport {
  /** Where the report and its pictures are. */
  static final Path FOLDER = Path.of("target", "explorer");

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>The explorer in Chromium</title>
      <style>
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
      img { border: 1px solid #999; display: block; margin: .5rem 0; max-width: 100% }
      .failed { color: #b00020 }
      code { overflow-wrap: anywhere }
      </style>
      </head>
      <body>
      """;

  private final List<Entry> entries = new ArrayList<>();

  /**
   * One test.
   *
   * @param failure empty if it passed
   * @param pages those it opened
   */
  record Entry(String testClass, String test, String failure, List<PageNotes> pages) {
    Entry {
      pages = List.copyOf(pages);
    }
  }

  /** The report of this run. */
  static BrowserReport of(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(BrowserReport.class))
        .computeIfAbsent(BrowserReport.class);
  }

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  /** Writes all there is so far. */
  synchronized void write(String browserVersion) throws IOException {
    long failed = entries.stream().filter(entry -> !entry.failure().isEmpty()).count();
    StringBuilder html = new StringBuilder(HEAD);
    html.append("<h1>The explorer in Chromium ")
        .append(escaped(browserVersion))
        .append("</h1>\n<p>")
        .append(entries.size())
        .append(" tests, ")
        .append(failed)
        .append(" failed.</p>\n");
    String testClass = "";
    for (Entry entry : entries) {
      if (!entry.testClass().equals(testClass)) {
        testClass = entry.testClass();
        html.append("<h2>").append(escaped(testClass)).append("</h2>\n");
      }
      append(html, entry);
    }
    html.append("</body>\n</html>\n");
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("report.html"), html);
  }

  private static void append(StringBuilder html, Entry entry) {
    html.append("<h3>").append(escaped(entry.test())).append("</h3>\n");
    if (entry.failure().isEmpty()) {
      html.append("<p>passed</p>\n");
    } else {
      html.append("<pre class=\"failed\">").append(escaped(entry.failure())).append("</pre>\n");
    }
    for (PageNotes page : entry.pages()) {
      html.append("<ol>\n");
      for (String step : page.steps()) {
        html.append("<li><code>").append(escaped(step)).append("</code></li>\n");
      }
      html.append("</ol>\n");
      for (String picture : page.pictures()) {
        html.append("<img loading=\"lazy\" alt=\"")
            .append(escaped(picture))
            .append("\" src=\"")
            .append(escaped(picture))
            .append("\">\n");
      }
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
