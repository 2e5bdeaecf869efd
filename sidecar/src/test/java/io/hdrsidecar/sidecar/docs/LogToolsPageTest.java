package io.hdrsidecar.sidecar.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.cli.LogCommand;
import io.hdrsidecar.sidecar.cli.LogConsole;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code docs/log-tools.md} has a section for each tool. */
class LogToolsPageTest {
  private static final Pattern SECTION = Pattern.compile("(?m)^## ([a-z]+)$");

  @Test
  void page_sections_areTheTools() throws Exception {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    LogConsole console =
        new LogConsole(InputStream.nullInputStream(), nowhere, nowhere, false, false);
    CommandLine log =
        LogCommand.commandLine(
            console,
            (logs, port, slaFile, onReady) -> {
              throw new AssertionError("nothing is run");
            });
    String page = Files.readString(Path.of("..", "docs", "log-tools.md"));
    assertThat(SECTION.matcher(page).results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(log.getSubcommands().keySet());
  }
}
