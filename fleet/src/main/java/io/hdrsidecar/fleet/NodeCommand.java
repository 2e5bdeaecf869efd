package io.hdrsidecar.fleet;

import io.hdrsidecar.fleet.kafka.KafkaLogs;
import io.hdrsidecar.fleet.node.FleetNode;
import io.hdrsidecar.fleet.node.NodeSettings;
import io.hdrsidecar.fleet.node.NodeStartException;
import io.hdrsidecar.sidecar.SettingFlags;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.logs.Logging;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The command {@code node}: merges partitions of the topics, and answers, until it is told to end.
 */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "hdr-sidecar-fleet node [--config=<file>] [--check-config] [settings]",
    description = {
      "Merges what gateways have produced, each interval once, and answers scrapes and queries.",
      "Each setting can be a flag, an environment variable or a key of the YAML file; the first of"
          + " these wins."
    })
final class NodeCommand implements Callable<Integer> {
  private static final Logger LOG = System.getLogger(NodeCommand.class.getName());

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "YAML file with settings (environment: HDR_SIDECAR_CONFIG).")
  private @Nullable Path file;

  @Option(names = "--check-config", description = "Checks the configuration and exits: 0 or 2.")
  private boolean checkOnly;

  private final Map<String, String> environment;
  private final Termination termination;
  private CommandSpec spec = CommandSpec.create();

  private NodeCommand(Map<String, String> environment, Termination termination) {
    this.environment = environment;
    this.termination = termination;
  }

  /** The command with one flag for each setting. */
  static CommandSpec spec(Map<String, String> environment, Termination termination) {
    NodeCommand command = new NodeCommand(environment, termination);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    SettingFlags.add(NodeSettings.all(), spec);
    command.spec = spec;
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      NodeSettings settings =
          NodeSettings.load(
              SettingFlags.read(NodeSettings.all(), spec.commandLine().getParseResult()),
              environment,
              file);
      if (checkOnly) {
        spec.commandLine().getOut().println("configuration is valid");
        return ExitCode.OK;
      }
      return run(settings);
    } catch (ConfigException e) {
      e.problems().forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    } catch (NodeStartException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e.isConfiguration() ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
  }

  private int run(NodeSettings settings) throws NodeStartException, InterruptedException {
    Logging.install(settings.log());
    KafkaLogs.quieten();
    LOG.log(Level.INFO, "event=starting command=node version={0}", Version.text());
    settings.warnings().forEach(w -> LOG.log(Level.WARNING, "event=config problem={0}", w));
    try (FleetNode node = FleetNode.start(settings, NodeCommand::endBroken)) {
      termination.started(() -> {});
      say(settings, "event=ready http={0}", node.httpAddress());
      termination.await();
    }
    say(settings, "event=stopped");
    termination.ended();
    return ExitCode.OK;
  }

  /**
   * The stores and topics are as of the last commit; whoever starts it again goes on from there.
   */
  private static void endBroken() {
    Runtime.getRuntime().halt(ExitCode.SOFTWARE);
  }

  private void say(NodeSettings settings, String template, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Logging.line(settings.log().format(), NodeCommand.class, template, values));
    out.flush();
  }
}
