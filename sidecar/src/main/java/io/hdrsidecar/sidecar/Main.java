package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.cli.LogCommand;
import io.hdrsidecar.sidecar.cli.LogConsole;
import io.hdrsidecar.sidecar.demo.DemoCommand;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: {@code java -jar hdr-sidecar.jar <command>}. */
@Command(
    name = "hdr-sidecar",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Merges interval histograms without losing a count, for Prometheus and people.",
    subcommands = Main.VersionCommand.class)
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private Main() {}

  /**
   * Runs a command; exits with 2 for a wrong call or configuration, 1 for a failure, 3 when the
   * heap is full.
   */
  public static void main(String[] args) {
    OutOfMemory.endAtUncaught();
    System.exit(commandLine(System.getenv()).execute(args));
  }

  static CommandLine commandLine(Map<String, String> environment) {
    return new CommandLine(new Main())
        .addSubcommand("serve", ServeCommand.spec(environment))
        .addSubcommand("demo", new DemoCommand(DemoSidecar::start))
        .addSubcommand("log", LogCommand.commandLine(LogConsole.ofProcess(), new FileExplorer()))
        .addSubcommand("inject", new InjectCommand())
        // As shells and scripts expect: of a flag given twice the last one wins.
        .setOverwrittenOptionsAllowed(true);
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required");
  }

  /** {@code version}. */
  @Command(name = "version", description = "Prints the version.")
  static final class VersionCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

    @Override
    public void run() {
      spec.commandLine().getOut().println("hdr-sidecar " + Version.text());
    }
  }
}
