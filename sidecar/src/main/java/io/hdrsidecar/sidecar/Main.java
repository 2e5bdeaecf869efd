package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.cli.LogCommand;
import io.hdrsidecar.sidecar.cli.LogConsole;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.conformance.ConformanceCommand;
import io.hdrsidecar.sidecar.demo.DemoCommand;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: {@code java -jar hdr-sidecar.jar <command>}. */
@Command(
    name = "hdr-sidecar",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Merges interval histograms without losing a count, for Prometheus and people.",
    subcommands = {
      Main.VersionCommand.class,
      AutoComplete.GenerateCompletion.class,
      ManPagesCommand.class
    })
public final class Main implements Runnable {
  /** Commands that run until they are told to end. */
  private static final Set<String> SERVERS = Set.of("serve", "demo", "inject");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private Main() {}

  /**
   * Runs a command; exits with 2 for a wrong call or configuration, 1 for a failure, 3 when the
   * heap is full.
   */
  public static void main(String[] args) {
    OutOfMemory.endAtUncaught();
    // What asks other hosts does so by the JDK. Vert.x only listens: its client of DNS is of no
    // use.
    System.setProperty("vertx.disableDnsResolver", "true");
    Termination termination = new Termination();
    if (args.length > 0 && SERVERS.contains(args[0])) {
      termination.listen(); // before anything that takes time: a signal is a wish, not a crash
    }
    Map<String, String> flags = plainFlags(args);
    System.exit(
        flags == null
            ? commandLine(System.getenv(), termination, args).execute(args)
            : serve(new ServeCommand(System.getenv(), termination), flags));
  }

  private static @Nullable Map<String, String> plainFlags(String... args) {
    boolean serves = args.length > 0 && args[0].equals("serve");
    return serves ? PlainArguments.flags(Settings.all(), args) : null;
  }

  /** Without picocli, which takes a fifth of a start. Fails as picocli does. */
  private static int serve(ServeCommand command, Map<String, String> flags) {
    try {
      return command.run(ServingCommand.Call.withoutOptions(flags));
    } catch (Exception e) {
      e.printStackTrace(System.err);
      return ExitCode.SOFTWARE;
    }
  }

  /**
   * The program.
   *
   * @param args how it is called: if they begin with the name of a command, only that one is there,
   *     as options in the hundreds that nobody asks for make the start longer
   */
  static CommandLine commandLine(
      Map<String, String> environment, Termination termination, String... args) {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("serve", () -> ServingCommand.spec(new ServeCommand(environment, termination)));
    commands.put("demo", () -> new DemoCommand(DemoSidecar.launcher(environment, termination)));
    commands.put(
        "log",
        () -> LogCommand.commandLine(LogConsole.ofProcess(), new LogExplorerServer(environment)));
    commands.put("inject", () -> InjectCommand.spec(new InjectCommand(environment, termination)));
    commands.put("conformance", () -> new ConformanceCommand());
    if (args.length > 0 && commands.containsKey(args[0])) {
      commands.keySet().retainAll(Set.of(args[0]));
    }
    CommandLine program = new CommandLine(new Main());
    commands.forEach((name, command) -> program.addSubcommand(name, command.get()));
    // As shells and scripts expect: of a flag given twice the last one wins.
    return program
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new CallErrors());
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is required");
  }

  /** {@code version}. */
  @Command(name = "version", description = "Prints the version, its commit and date.")
  static final class VersionCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

    @Override
    public void run() {
      spec.commandLine().getOut().println(Version.line());
    }
  }
}
