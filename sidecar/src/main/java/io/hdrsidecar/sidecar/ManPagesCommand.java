package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.input.CauseText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code generate-man-pages}. */
@Command(
    name = "generate-man-pages",
    mixinStandardHelpOptions = true,
    description = "Writes what --help says as manual pages, one for each command.")
final class ManPagesCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "<folder>",
      description =
          "Where man looks: ~/.local/share/man/man1 or /usr/local/share/man/man1. Made if missing.")
  private Path folder = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  @Override
  public Integer call() {
    try {
      Files.createDirectories(folder);
      write(spec.root().commandLine());
      return ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("cannot write manual pages: " + CauseText.of(e));
      return ExitCode.SOFTWARE;
    }
  }

  private void write(CommandLine command) throws IOException {
    ManPage page = new ManPage(command.getCommandSpec());
    Files.writeString(folder.resolve(page.name() + ".1"), page.roff());
    for (CommandLine child : command.getSubcommands().values()) {
      write(child);
    }
  }
}
