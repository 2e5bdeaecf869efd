package io.hdrsidecar.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A page with parts that are made from declarations elsewhere, each between two comments. */
public final class GeneratedPage {
  private static final String END =
      "<!-- prettier-ignore-end -->\n\n<!-- end of what is generated -->";

  /** A text that leans on another one: tables are sorted, and a help text stands alone. */
  private static final Pattern LEANS =
      Pattern.compile(
          "^(?:\\S+ ){0,5}(?:(?:of|in|on|to|for) (?:it|its|them)|of that|these|those)\\b"
              + "|^How often that|^\\S+ while this|^\\S+ of their\\b",
          Pattern.CASE_INSENSITIVE);

  private final Path file;
  private final String begin;

  /** A page of docs/, beside the module of the test, with one part. */
  public GeneratedPage(String name) {
    this(Path.of("..", "docs", name));
  }

  /** A part of a page of docs/ that has several. */
  public GeneratedPage(String name, String part) {
    this(Path.of("..", "docs", name), " " + part);
  }

  /** Any page. */
  public GeneratedPage(Path file) {
    this(file, "");
  }

  private GeneratedPage(Path file, String part) {
    this.file = file;
    this.begin =
        "<!-- generated"
            + part
            + ": mvn test -Dhdr.docs.write=true -->\n\n<!-- prettier-ignore-start -->\n";
  }

  /** Holds the page to what the code declares; with {@code -Dhdr.docs.write=true} writes it. */
  public void assertHas(String generated) throws IOException {
    String page = Files.readString(file);
    int at = page.indexOf(begin);
    assertThat(at).as("%s has the line %s", file, begin).isNotNegative();
    int end = page.indexOf(END, at);
    assertThat(end).as("%s has the line %s behind it", file, END).isNotNegative();
    String wanted = page.substring(0, at + begin.length()) + "\n" + generated + "\n";
    String whole = wanted + page.substring(end);
    if (Boolean.getBoolean("hdr.docs.write")) {
      Files.writeString(file, whole);
    }
    assertThat(Files.readString(file)).as("%s, see its comment", file).isEqualTo(whole);
  }

  /** Text for a cell of a table. */
  public static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").strip();
  }

  /** Names the columns of {@link #setting}. */
  public static String settingsHead() {
    return "| key | default | form and range | what it does |\n| --- | --- | --- | --- |\n";
  }

  /** A row about a setting. */
  public static String setting(String key, String unset, String form, String description) {
    return String.format(
        "| `%s` | %s | %s | %s |\n",
        key, unset.isEmpty() ? "none" : "`" + cell(unset) + "`", cell(form), sentence(description));
  }

  /** A description for a cell: it stands alone, and ends with a full stop. */
  public static String sentence(String text) {
    assertThat(text).as("names what it is about").doesNotContainPattern(LEANS);
    return cell(text).endsWith(".") ? cell(text) : cell(text) + ".";
  }
}
