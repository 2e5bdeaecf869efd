package io.hdrsidecar.sidecar;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ServingConfig;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * A command that runs until it is told to end: its options, its first and last words, its exit
 * codes.
 *
 * @param <C> its configuration
 */
public abstract class ServingCommand<C extends ServingConfig> implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "YAML file with settings (environment: HDR_SIDECAR_CONFIG).")
  private @Nullable Path file;

  @Option(
      names = "--check-config",
      description = "Checks the configuration, and files and folders in it, and exits: 0 or 2.")
  private boolean checkOnly;

  private final Logger log = System.getLogger(getClass().getName());
  private final List<DeclaredSetting> settings;
  private final Map<String, String> environment;
  private final Termination termination;
  private @Nullable CommandSpec spec;
  private Call made = Call.NONE;

  /** With these settings as flags, and keys of environment and file. */
  protected ServingCommand(
      List<DeclaredSetting> settings, Map<String, String> environment, Termination termination) {
    this.settings = settings;
    this.environment = environment;
    this.termination = termination;
  }

  /** The command with one flag for each setting. */
  public static CommandSpec spec(ServingCommand<?> command) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    SettingFlags.add(command.settings, spec);
    command.spec = spec;
    return spec;
  }

  /** Reads the configuration: flag before environment before file before default. */
  protected abstract C load(
      Map<String, String> flags, Map<String, String> environment, @Nullable Path configFile)
      throws ConfigException;

  /** The problems of all that the configuration refers to. */
  protected abstract List<String> problems(C config, boolean isCheckOnly);

  /** Starts, calls {@link #serveUntilTold}, and ends in order. */
  protected abstract void serve(C config) throws StartFailedException, InterruptedException;

  /**
   * How the command is called.
   *
   * @param flags from flag, such as {@code --ingest-port}, to text
   * @param file the YAML file; null takes that of the environment
   * @param checkOnly whether nothing is started
   */
  record Call(
      Map<String, String> flags,
      @Nullable Path file,
      boolean checkOnly,
      PrintWriter out,
      PrintWriter err) {
    static final Call NONE = withoutOptions(Map.of());

    /** By settings alone, with the process's own output. */
    static Call withoutOptions(Map<String, String> flags) {
      return new Call(flags, null, false, writer(System.out), writer(System.err));
    }

    private static PrintWriter writer(PrintStream stream) {
      return new PrintWriter(stream, true, Charset.defaultCharset());
    }
  }

  @Override
  public final Integer call() throws InterruptedException {
    CommandLine line = requireNonNull(spec, "spec").commandLine();
    Map<String, String> flags = SettingFlags.read(settings, line.getParseResult());
    return run(new Call(flags, file, checkOnly, line.getOut(), line.getErr()));
  }

  /** Runs the command; returns its exit code. */
  final int run(Call call) throws InterruptedException {
    made = call;
    try {
      C config = load();
      List<String> problems = problems(config, call.checkOnly());
      if (!problems.isEmpty()) {
        return refused(problems);
      }
      if (call.checkOnly()) {
        call.out().println("configuration is valid");
        return ExitCode.OK;
      }
      Logging.install(config.log());
      sayWhatIsStarting(config);
      serve(config);
      say(config, "event=stopped", Map.of());
      termination.ended();
      return ExitCode.OK;
    } catch (ConfigException e) {
      return refused(e.problems());
    } catch (StartFailedException e) {
      call.err().println(e.getMessage());
      return e.isConfiguration() ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }
  }

  /** Reads it again. */
  protected final C load() throws ConfigException {
    return load(made.flags(), environment, made.file());
  }

  private int refused(List<String> problems) {
    problems.forEach(made.err()::println);
    return ExitCode.USAGE;
  }

  /** Version, JVM, and every setting that is not the default. */
  private void sayWhatIsStarting(C config) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", Version.text());
    fields.put("java", System.getProperty("java.version", ""));
    for (DeclaredSetting setting : settings) {
      String text = config.texts().getOrDefault(setting.key(), setting.defaultText());
      if (!text.equals(setting.defaultText())) {
        fields.put(setting.key(), text);
      }
    }
    log.log(Level.INFO, withFields("event=starting", fields), fields.values().toArray());
    config.warnings().forEach(w -> log.log(Level.WARNING, "event=config problem={0}", w));
  }

  /** Says where it answers, and waits until the process is told to end. */
  protected final void serveUntilTold(C config, Map<String, ?> addresses)
      throws InterruptedException {
    termination.started(() -> {});
    say(config, "event=ready", addresses);
    termination.await();
  }

  /** First and last word, on standard output, where scripts look for them. */
  private void say(C config, String event, Map<String, ?> fields) {
    String line =
        Logging.line(
            config.log().format(),
            getClass(),
            withFields(event, fields),
            fields.values().toArray());
    made.out().println(line);
    made.out().flush();
  }

  private static String withFields(String event, Map<String, ?> fields) {
    StringBuilder line = new StringBuilder(event);
    int place = 0;
    for (String key : fields.keySet()) {
      line.append(' ').append(key).append("={").append(place++).append('}');
    }
    return line.toString();
  }
}
