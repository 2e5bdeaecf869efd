package io.hdrsidecar.fleet;

import io.hdrsidecar.fleet.gateway.GatewayCommand;
import io.hdrsidecar.sidecar.CallErrors;
import io.hdrsidecar.sidecar.ServingCommand;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.util.Map;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: {@code java -jar hdr-sidecar-fleet.jar <command>}. */
@Command(
    name = "hdr-sidecar-fleet",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Joins the intervals of many sidecars without losing a count, on Apache Kafka.",
    subcommands = AutoComplete.GenerateCompletion.class)
public final class FleetMain implements Runnable {
  /** Commands that run until they are told to end. */
  private static final Set<String> SERVERS = Set.of("gateway", "node");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private FleetMain() {}

  /**
   * Runs a command; exits with 2 for a wrong call or configuration, 1 for a failure, 3 when the
   * heap is full.
   */
  public static void main(String[] args) {
    OutOfMemory.endAtUncaught();
    Termination termination = new Termination();
    if (args.length > 0 && SERVERS.contains(args[0])) {
      termination.listen(); // before anything that takes time: a signal is a wish, not a crash
    }
    System.exit(commandLine(System.getenv(), termination).execute(args));
  }

  static CommandLine commandLine(Map<String, String> environment, Termination termination) {
    return new CommandLine(new FleetMain())
        .addSubcommand("gateway", ServingCommand.spec(new GatewayCommand(environment, termination)))
        .addSubcommand("node", ServingCommand.spec(new NodeCommand(environment, termination)))
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new CallErrors());
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required");
  }
}
