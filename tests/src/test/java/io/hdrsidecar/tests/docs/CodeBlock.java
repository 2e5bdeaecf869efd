package io.hdrsidecar.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of code in a page, indented or fenced, but no Java: that is run beside client-lib.
 *
 * @param mark the comment before it; empty for none
 * @param text without indentation, with a line end behind each line
 */
record CodeBlock(String mark, String text) {
  /** Commands that end. */
  static final String RUNNABLE = "runnable";

  /** A command that goes on until it is told to end. */
  static final String SERVES = "runnable: serves";

  /** A file that later commands of the page use. */
  static final String FILE = "file: ";

  /** Says of a page that its blocks with prompts are run, and print what stands there. */
  private static final String TRANSCRIPTS = "<!-- transcripts are run -->";

  private static final Pattern BLOCK =
      Pattern.compile(
          "(?ms)(?:^<!-- (?<mark>[^>]*?) -->\\n"
              + "\\n"
              + ")?(?:^```(?<language>\\w*)\\n"
              + "(?<fenced>.*?)^```$|(?<=\\n"
              + "\\n"
              + ")(?<indented>(?:^ {4}[^\\n"
              + "]*\\n"
              + ")+))");

  static List<CodeBlock> of(Path page) throws IOException {
    String text = Files.readString(page);
    boolean transcripts = text.contains(TRANSCRIPTS);
    List<CodeBlock> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if ("java".equals(block.group("language"))) {
        continue;
      }
      String code = block.group("fenced");
      code = code == null ? block.group("indented").indent(-4) : code;
      String mark = block.group("mark");
      mark = mark == null ? "" : mark;
      blocks.add(
          new CodeBlock(
              transcripts && mark.isEmpty() && isTranscript(code) ? RUNNABLE : mark, code));
    }
    return blocks;
  }

  boolean isTranscript() {
    return isTranscript(text);
  }

  private static boolean isTranscript(String code) {
    return code.startsWith("$ ");
  }

  /** What stands behind the prompts, each with what is shown to follow. */
  List<List<String>> commands() {
    List<List<String>> commands = new ArrayList<>();
    for (String part : ("\n" + text).split("\n\\$ ", -1)) {
      if (!part.isEmpty()) {
        int end = part.indexOf('\n');
        String command = end < 0 ? part : part.substring(0, end);
        commands.add(List.of(command, end < 0 ? "" : part.substring(end + 1).strip()));
      }
    }
    return commands;
  }
}
