package io.hdrsidecar.fleet;

import io.hdrsidecar.fleet.kafka.KafkaLogs;
import io.hdrsidecar.fleet.node.FleetNode;
import io.hdrsidecar.fleet.node.NodeSettings;
import io.hdrsidecar.sidecar.ServingCommand;
import io.hdrsidecar.sidecar.StartFailedException;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

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
final class NodeCommand extends ServingCommand<NodeSettings> {
  NodeCommand(Map<String, String> environment, Termination termination) {
    super(NodeSettings.all(), environment, termination);
  }

  @Override
  protected NodeSettings load(
      Map<String, String> flags, Map<String, String> environment, @Nullable Path configFile)
      throws ConfigException {
    return NodeSettings.load(flags, environment, configFile);
  }

  @Override
  protected List<String> problems(NodeSettings settings, boolean isCheckOnly) {
    List<String> problems = new ArrayList<>(settings.node().kafka().problems());
    try (AccessCheck check = new AccessCheck()) {
      check.look("http", settings.http().access());
      problems.addAll(check.problems());
    }
    return problems;
  }

  @Override
  protected void serve(NodeSettings settings) throws StartFailedException, InterruptedException {
    KafkaLogs.quieten();
    try (FleetNode node = FleetNode.start(settings, NodeCommand::endBroken)) {
      serveUntilTold(settings, Map.of("http", node.httpAddress()));
    }
  }

  /** The stores and topics are as of the last commit; the next start goes on from there. */
  private static void endBroken() {
    Runtime.getRuntime().halt(ExitCode.SOFTWARE);
  }
}
