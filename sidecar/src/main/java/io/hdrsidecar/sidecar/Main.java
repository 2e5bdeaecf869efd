package io.hdrsidecar.sidecar;

import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The program: {@code java -jar hdr-sidecar.jar <command>}. */
@Command(
    name = "hdr-sidecar",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Merges interval histograms without losing a count, for Prometheus and people.",
    subcommands = Main.VersionCommand.class)
public final class Main implements Runnable {
  @CommandLine.Spec
  private CommandLine.Model.CommandSpec spec = // picocli sets the real one
      CommandLine.Model.CommandSpec.create();

  private Main() {}

  /** Runs a command; exits with 2 for a wrong call or configuration, 1 for a failure. */
  public static void main(String[] args) {
    System.exit(commandLine(System.getenv()).execute(args));
  }

  static CommandLine commandLine(Map<String, String> environment) {
    return new CommandLine(new Main()).addSubcommand("serve", ServeCommand.spec(environment));
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "a command is required");
  }

  /** {@code version}. */
  @Command(name = "version", description = "Prints the version.")
  static final class VersionCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = // picocli sets the real one
        CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
      spec.commandLine().getOut().println(String.join(" ", new Version().getVersion()));
    }
  }

  /** From the manifest of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "hdr-sidecar " + Objects.requireNonNullElse(version, "(development build)")
      };
    }
  }
}
