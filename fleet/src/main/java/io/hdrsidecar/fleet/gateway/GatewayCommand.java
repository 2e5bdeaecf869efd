package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.sidecar.SettingFlags;
import io.hdrsidecar.sidecar.StartFailedException;
import io.hdrsidecar.sidecar.Termination;
import io.hdrsidecar.sidecar.Version;
import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

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
public final class GatewayCommand implements Callable<Integer> {
  private static final Logger LOG = System.getLogger(GatewayCommand.class.getName());

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "YAML file with settings (environment: HDR_SIDECAR_CONFIG).")
  private @Nullable Path file;

  @Option(
      names = "--check-config",
      description = "Checks the configuration, and files in it, and exits: 0 or 2.")
  private boolean checkOnly;

  private final Map<String, String> environment;
  private final Termination termination;
  private CommandSpec spec = CommandSpec.create();

  private GatewayCommand(Map<String, String> environment, Termination termination) {
    this.environment = environment;
    this.termination = termination;
  }

  /** The command with one flag for each setting. */
  public static CommandSpec spec(Map<String, String> environment, Termination termination) {
    GatewayCommand command = new GatewayCommand(environment, termination);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    SettingFlags.add(GatewayConfig.settings(), spec);
    command.spec = spec;
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    GatewayMemory memory = GatewayMemory.ofThisProcess();
    try {
      Map<String, String> flags =
          SettingFlags.read(GatewayConfig.settings(), spec.commandLine().getParseResult());
      GatewayConfig config = GatewayConfig.load(flags, environment, file, memory);
      List<String> problems = problems(config);
      if (!problems.isEmpty()) {
        problems.forEach(spec.commandLine().getErr()::println);
        return ExitCode.USAGE;
      }
      if (checkOnly) {
        spec.commandLine().getOut().println("configuration is valid");
        return ExitCode.OK;
      }
      return serve(config, memory);
    } catch (ConfigException e) {
      e.problems().forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    } catch (StartFailedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return e.isConfiguration() ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
  }

  private static List<String> problems(GatewayConfig config) {
    try (AccessCheck check = new AccessCheck()) {
      check.look("ingest", config.receive().access());
      check.look("http", config.httpAccess());
      return check.problems();
    }
  }

  private int serve(GatewayConfig config, GatewayMemory memory)
      throws StartFailedException, InterruptedException {
    Logging.install(config.log());
    sayWhatIsStarting(config);
    config.warnings().forEach(w -> LOG.log(Level.WARNING, "event=config problem={0}", w));
    Gateway gateway = Gateway.start(config, memory);
    termination.started(() -> {});
    say(config, "event=ready ingest={0} http={1}", gateway.ingestAddress(), gateway.httpAddress());
    termination.await();
    gateway.drain();
    say(config, "event=stopped");
    termination.ended();
    return ExitCode.OK;
  }

  /** Version, JVM, and every setting that is not the default. */
  private static void sayWhatIsStarting(GatewayConfig config) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", Version.text());
    fields.put("java", System.getProperty("java.version", ""));
    for (DeclaredSetting setting : GatewayConfig.settings()) {
      String text = config.texts().getOrDefault(setting.key(), setting.defaultText());
      if (!text.equals(setting.defaultText())) {
        fields.put(setting.key(), text);
      }
    }
    StringBuilder template = new StringBuilder("event=starting program=gateway");
    int place = 0;
    for (String key : fields.keySet()) {
      template.append(' ').append(key).append("={").append(place++).append('}');
    }
    LOG.log(Level.INFO, template.toString(), fields.values().toArray());
  }

  /** First and last word, on standard output, where scripts look for them. */
  private void say(GatewayConfig config, String template, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Logging.line(config.log().format(), GatewayCommand.class, template, values));
    out.flush();
  }
}
