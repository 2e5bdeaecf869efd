package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.config.SlaConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The command {@code serve}: runs a sidecar until it is told to end. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = "hdr-sidecar serve [--config=<file>] [--check-config] [settings]",
    description = {
      "Takes interval histograms from clients, merges them, and answers scrapes and queries.",
      "Each setting can be a flag, an environment variable or a key of the YAML file; the first of"
          + " these wins."
    })
final class ServeCommand extends ServingCommand<SidecarConfig> {
  private static final Logger LOG = System.getLogger(ServeCommand.class.getName());

  private final Map<String, String> environment;
  private final Termination termination;
  private volatile @Nullable Path file;
  private volatile @Nullable Sidecar running;

  ServeCommand(Map<String, String> environment, Termination termination) {
    super(Settings.all(), environment, termination);
    this.environment = environment;
    this.termination = termination;
  }

  @Override
  protected SidecarConfig load(
      Map<String, String> flags, Map<String, String> variables, @Nullable Path configFile)
      throws ConfigException {
    file = configFile;
    return ConfigLoader.load(flags, variables, configFile);
  }

  @Override
  protected List<String> problems(SidecarConfig config, boolean isCheckOnly) {
    List<String> problems =
        new ArrayList<>(isCheckOnly ? FileCheck.problems(config) : FileCheck.mistakes(config));
    if (config.life().strict()) {
      AllowedMemory.problems(config, AllowedMemory.heapFor(config))
          .forEach(problem -> problems.add(problem + " (refused by strict)"));
    }
    return problems;
  }

  @Override
  protected void serve(SidecarConfig config) throws StartFailedException, InterruptedException {
    AllowedMemory.log(config, AllowedMemory.heapFor(config));
    SlaConfig.awaitedFile(config.texts())
        .ifPresent(
            rules -> LOG.log(Level.INFO, "event=sla_file_missing file={0} rules=none", rules));
    if (config.life().reload()) {
      termination.onHangup(this::reload);
    }
    Sidecar sidecar = Sidecar.start(config, this::load);
    running = sidecar;
    try (ReloadWatch watch = watch(sidecar)) {
      watch.start(config.life().reloadInterval());
      serveUntilTold(config, addresses(sidecar));
    }
    sidecar.drain();
  }

  private void reload() {
    Sidecar sidecar = running;
    if (sidecar != null) { // Until then, what was read is what is there.
      sidecar.reload().reload();
    }
  }

  private ReloadWatch watch(Sidecar sidecar) {
    return new ReloadWatch(
        () -> ConfigLoader.files(environment, file, sidecar.settings()), this::reload);
  }

  /** The explorer first: it is what a person wants; the rest is for clients and scrapers. */
  private static Map<String, Object> addresses(Sidecar sidecar) {
    Map<String, Object> addresses = new LinkedHashMap<>();
    sidecar.explorerAddress().ifPresent(address -> addresses.put("explorer", address));
    addresses.put("ingest", sidecar.ingestAddress());
    sidecar.unixAddress().ifPresent(address -> addresses.put("unix", address));
    addresses.put("http", sidecar.httpAddress());
    return addresses;
  }
}
