package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.Setting;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.merge.StoreMemory;
import java.lang.System.Logger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

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
  private CommandSpec spec = CommandSpec.create();

  ServeCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The command with one flag for each setting. */
  static CommandSpec spec(Map<String, String> environment) {
    ServeCommand command = new ServeCommand(environment);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    for (Setting<?> setting : Settings.all()) {
      OptionSpec.Builder option = OptionSpec.builder(setting.flag());
      if (setting.isSwitch()) {
        option.arity("0..1").fallbackValue("true");
      }
      spec.addOption(
          option
              .type(String.class)
              .paramLabel("<" + setting.key().substring(setting.key().lastIndexOf('.') + 1) + ">")
              .description(
                  plain(setting.description()),
                  plain("  " + setting.form() + "; default: " + shown(setting.defaultText())),
                  "  key: " + setting.key() + ", environment: " + setting.environmentVariable())
              .build());
    }
    command.spec = spec;
    return spec;
  }

  /** Picocli takes descriptions for formats. */
  private static String plain(String text) {
    return text.replace("%", "%%");
  }

  private static String shown(String defaultText) {
    return defaultText.isEmpty() ? "none" : defaultText;
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      SidecarConfig config = ConfigLoader.load(flags(), environment, file);
      return checkOnly ? check(config) : serve(config);
    } catch (ConfigException e) {
      e.problems().forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    } catch (StartFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return ExitCode.SOFTWARE;
    }
  }

  private Map<String, String> flags() {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<String, String> flags = new HashMap<>();
    for (Setting<?> setting : Settings.all()) {
      if (parsed.hasMatchedOption(setting.flag())) {
        flags.put(setting.flag(), parsed.matchedOptionValue(setting.flag(), ""));
      }
    }
    return flags;
  }

  private int check(SidecarConfig config) {
    List<String> problems = FileCheck.problems(config);
    if (!problems.isEmpty()) {
      problems.forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    }
    spec.commandLine().getOut().println("configuration is valid");
    return ExitCode.OK;
  }

  private int serve(SidecarConfig config) throws StartFailedException, InterruptedException {
    LogFormat.install(Level.INFO);
    config.warnings().forEach(warning -> LOG.log(Logger.Level.WARNING, "event=config " + warning));
    StatedMemory.log(
        StatedMemory.of(config),
        StoreMemory.heldBytes(config.merge()),
        Runtime.getRuntime().maxMemory());
    Sidecar sidecar = Sidecar.start(config, () -> ConfigLoader.load(flags(), environment, file));
    Termination termination = new Termination();
    if (!termination.listen(config.life().reload(), () -> sidecar.reload().reload())) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> endByHook(sidecar), "shutdown"));
    }
    spec.commandLine().getOut().println(readyLine(sidecar));
    spec.commandLine().getOut().flush();
    try (ReloadWatch watch = watch(sidecar)) {
      watch.start(config.life().reloadInterval());
      termination.await();
    }
    end(sidecar);
    return ExitCode.OK;
  }

  private ReloadWatch watch(Sidecar sidecar) {
    return new ReloadWatch(
        () -> ConfigLoader.files(environment, file, sidecar.settings()),
        () -> sidecar.reload().reload());
  }

  private static String readyLine(Sidecar sidecar) {
    return "hdr-sidecar ready ingest="
        + sidecar.ingestAddress()
        + sidecar.unixAddress().map(address -> " unix=" + address).orElse("")
        + " http="
        + sidecar.httpAddress();
  }

  /** The last word goes where the first went. */
  private void end(Sidecar sidecar) {
    sidecar.drain();
    spec.commandLine().getOut().println("hdr-sidecar stopped");
    spec.commandLine().getOut().flush();
  }

  /** Where signals cannot be handled: the JVM would report the signal; this end is a success. */
  private void endByHook(Sidecar sidecar) {
    end(sidecar);
    Runtime.getRuntime().halt(ExitCode.OK);
  }
}
