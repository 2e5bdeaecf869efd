package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.kafka.KafkaLogs;
import io.hdrsidecar.sidecar.ServingCommand;
import io.hdrsidecar.sidecar.StartFailedException;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** The command {@code gateway}: takes what sidecars hand on until it is told to end. */
@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "hdr-sidecar-fleet gateway [--config=<file>] [--check-config] [settings]",
    description = {
      "Takes what sidecars hand on, and produces it to Kafka. Keeps nothing: run several.",
      "Each setting can be a flag, an environment variable or a key of the YAML file; the first of"
          + " these wins."
    })
public final class GatewayCommand extends ServingCommand<GatewayConfig> {
  private final GatewayMemory memory = GatewayMemory.ofThisProcess();

  /** Not yet running. */
  public GatewayCommand(Map<String, String> environment, Termination termination) {
    super(GatewayConfig.settings(), environment, termination);
  }

  @Override
  protected GatewayConfig load(
      Map<String, String> flags, Map<String, String> environment, @Nullable Path configFile)
      throws ConfigException {
    return GatewayConfig.load(flags, environment, configFile, memory);
  }

  @Override
  protected List<String> problems(GatewayConfig config, boolean isCheckOnly) {
    List<String> problems = new ArrayList<>(config.kafka().problems());
    try (AccessCheck check = new AccessCheck()) {
      check.look("ingest", config.receive().access());
      check.look("http", config.httpAccess());
      problems.addAll(check.problems());
    }
    return problems;
  }

  @Override
  protected void serve(GatewayConfig config) throws StartFailedException, InterruptedException {
    KafkaLogs.quieten();
    Gateway gateway = Gateway.start(config, memory, GatewayCommand::endBroken);
    Map<String, String> addresses = new LinkedHashMap<>();
    addresses.put("ingest", gateway.ingestAddress());
    addresses.put("http", gateway.httpAddress());
    serveUntilTold(config, addresses);
    gateway.drain();
  }

  /** Nothing is kept here; sidecars send what was not acknowledged to another gateway. */
  private static void endBroken() {
    Runtime.getRuntime().halt(ExitCode.SOFTWARE);
  }
}
