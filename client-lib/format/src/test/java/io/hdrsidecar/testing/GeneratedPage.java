package io.hdrsidecar.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page with a part that is made from a declaration elsewhere, between two comments. */
public final class GeneratedPage {
  private static final String BEGIN =
      "<!-- generated: mvn test -Dhdr.docs.write=true -->\n\n<!-- prettier-ignore-start -->\n";
  private static final String END =
      "<!-- prettier-ignore-end -->\n\n<!-- end of what is generated -->";

  private final Path file;

  /** A page of docs/, beside the module of the test. */
  public GeneratedPage(String name) {
    this(Path.of("..", "docs", name));
  }

  /** Any page. */
  public GeneratedPage(Path file) {
    this.file = file;
  }

  /** Holds the page to what the code declares; with {@code -Dhdr.docs.write=true} writes it. */
  public void assertHas(String generated) throws IOException {
    String page = Files.readString(file);
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    assertThat(begin).as("%s has the line %s", file, BEGIN).isNotNegative();
    assertThat(end).as("%s has the line %s behind it", file, END).isGreaterThan(begin);
    String wanted = page.substring(0, begin + BEGIN.length()) + "\n" + generated + "\n";
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
}
