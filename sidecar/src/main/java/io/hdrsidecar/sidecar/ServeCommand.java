package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

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
final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = System.getLogger(ServeCommand.class.getName());

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "YAML file with settings (environment: HDR_SIDECAR_CONFIG).")
  private @Nullable Path file;

  @Option(
      names = "--check-config",
      description = "Checks the configuration, and files and folders in it, and exits: 0 or 2.")
  private boolean checkOnly;

  private final Map<String, String> environment;
  private final Termination termination;
  private CommandSpec spec = CommandSpec.create();
  private volatile @Nullable Sidecar running;

  ServeCommand(Map<String, String> environment, Termination termination) {
    this.environment = environment;
    this.termination = termination;
  }

  /** The command with one flag for each setting. */
  static CommandSpec spec(Map<String, String> environment, Termination termination) {
    ServeCommand command = new ServeCommand(environment, termination);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    SettingFlags.add(Settings.all(), spec);
    command.spec = spec;
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      SidecarConfig config = ConfigLoader.load(flags(), environment, file);
      List<String> problems =
          new ArrayList<>(checkOnly ? FileCheck.problems(config) : FileCheck.mistakes(config));
      if (config.life().strict()) {
        StatedMemory.problems(config, HeapBudget.ofThisProcess())
            .forEach(problem -> problems.add(problem + " (refused by strict)"));
      }
      if (!problems.isEmpty()) {
        problems.forEach(spec.commandLine().getErr()::println);
        return ExitCode.USAGE;
      }
      return checkOnly ? valid() : serve(config);
    } catch (ConfigException e) {
      e.problems().forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    } catch (StartFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e.isConfiguration() ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
  }

  private Map<String, String> flags() {
    return SettingFlags.read(Settings.all(), spec.commandLine().getParseResult());
  }

  private int valid() {
    spec.commandLine().getOut().println("configuration is valid");
    return ExitCode.OK;
  }

  private int serve(SidecarConfig config) throws StartFailedException, InterruptedException {
    Logging.install(config.log());
    sayWhatIsStarting(config);
    if (config.life().reload()) {
      termination.onHangup(this::reload);
    }
    Sidecar sidecar = Sidecar.start(config, () -> ConfigLoader.load(flags(), environment, file));
    running = sidecar;
    termination.started(() -> {});
    sayReady(config, sidecar);
    try (ReloadWatch watch = watch(sidecar)) {
      watch.start(config.life().reloadInterval());
      termination.await();
    }
    sidecar.drain();
    say(config, "event=stopped");
    termination.ended();
    return ExitCode.OK;
  }

  /** Version, JVM, and every setting that is not the default. */
  private static void sayWhatIsStarting(SidecarConfig config) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", Version.text());
    fields.put("java", System.getProperty("java.version", ""));
    fields.putAll(config.changed());
    LOG.log(Logger.Level.INFO, withFields("event=starting", fields), fields.values().toArray());
    config.warnings().forEach(w -> LOG.log(Logger.Level.WARNING, "event=config problem={0}", w));
    StatedMemory.log(config, HeapBudget.ofThisProcess());
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
  private void sayReady(SidecarConfig config, Sidecar sidecar) {
    Map<String, Object> addresses = new LinkedHashMap<>();
    sidecar.explorerAddress().ifPresent(address -> addresses.put("explorer", address));
    addresses.put("ingest", sidecar.ingestAddress());
    sidecar.unixAddress().ifPresent(address -> addresses.put("unix", address));
    addresses.put("http", sidecar.httpAddress());
    say(config, withFields("event=ready", addresses), addresses.values().toArray());
  }

  private static String withFields(String template, Map<String, ?> fields) {
    StringBuilder line = new StringBuilder(template);
    int place = 0;
    for (String key : fields.keySet()) {
      line.append(' ').append(key).append("={").append(place++).append('}');
    }
    return line.toString();
  }

  /** First and last word, on standard output, where scripts look for them. */
  private void say(SidecarConfig config, String template, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Logging.line(config.log().format(), ServeCommand.class, template, values));
    out.flush();
  }
}
