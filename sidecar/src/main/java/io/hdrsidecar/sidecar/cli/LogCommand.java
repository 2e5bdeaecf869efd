package io.hdrsidecar.sidecar.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hdr-sidecar log ...}: the tools for histogram interval logs. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    description = "Tools for HdrHistogram interval logs; no sidecar is needed.")
public final class LogCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private LogCommand() {}

  /**
   * The command with all its tools, which read and write here.
   *
   * @param server shows logs in a browser
   */
  public static CommandLine commandLine(LogConsole console, LogServer server) {
    return new CommandLine(new LogCommand())
        .addSubcommand(new SummarizeCommand(console))
        .addSubcommand(new ProcessCommand(console))
        .addSubcommand(new UnionCommand(console))
        .addSubcommand(new SplitCommand(console))
        .addSubcommand(new CsvCommand(console))
        .addSubcommand(new BucketsCommand(console))
        .addSubcommand(new TagsCommand(console))
        .addSubcommand(new ImportCommand(console))
        .addSubcommand(new DiffCommand(console))
        .addSubcommand(new ExploreCommand(console, server))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true);
  }

  /** Without a tool there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a tool is required");
  }
}
