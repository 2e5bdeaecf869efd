package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.AccessCheck;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.access.TlsConfig;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.inject.CertificatesCommand;
import io.hdrsidecar.sidecar.inject.CheckCommand;
import io.hdrsidecar.sidecar.inject.Component;
import io.hdrsidecar.sidecar.inject.ComponentFile;
import io.hdrsidecar.sidecar.inject.InjectConfig;
import io.hdrsidecar.sidecar.inject.InjectServer;
import io.hdrsidecar.sidecar.inject.MalformedDocumentException;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.DurationConverter;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code inject}: runs the admission webhook until it is told to end. */
@Command(
    name = "inject",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description =
        "Adds the sidecar to pods of a Kubernetes cluster that ask for it: a mutating admission"
            + " webhook. Needs no sidecar and no access to the cluster.",
    subcommands = {CertificatesCommand.class, CheckCommand.class})
final class InjectCommand implements Callable<Integer> {
  private static final long START_SECONDS = 30;
  private static final long STOP_SECONDS = 10;

  @Option(
      names = "--tls-certificate",
      paramLabel = "<file>",
      description = "PEM file with the certificate and its chain; taken up when renewed. Required.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "<file>",
      description = "PEM file with its private key, not encrypted. Required.")
  private @Nullable Path key;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "<file>",
      description =
          "PEM file of the authorities that vouch for API servers, which then must show a"
              + " certificate; probes and scrapes, too (default: none).")
  private @Nullable Path clientCa;

  @Option(
      names = "--host",
      paramLabel = "<address>",
      defaultValue = "0.0.0.0",
      description = "Address to listen on.")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "9443",
      description = "Port to listen on; 0 takes a free one.")
  private int port;

  @Option(
      names = "--component",
      paramLabel = "<folder>",
      description =
          "Folder with sidecar.yaml, pod.yaml and client.yaml: what pods get (default: that of"
              + " this build).")
  private @Nullable Path componentFolder;

  @Option(
      names = "--image",
      paramLabel = "<image>",
      description = "Image of the sidecar (default: the component's).")
  private @Nullable String image;

  @Option(
      names = "--max-body",
      paramLabel = "<bytes>",
      defaultValue = "4194304",
      description = "Longest review; API servers send up to 3 MiB of a pod.")
  private int maxBodyBytes;

  @Option(
      names = "--drain",
      paramLabel = "<duration>",
      defaultValue = "5s",
      converter = DurationConverter.class,
      description = "On SIGTERM: time to go on answering while /-/ready says 503.")
  private Duration drain = Duration.ZERO;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private final Map<String, String> environment;
  private final Termination termination;
  private LogConfig log = LogConfig.DEFAULT;

  InjectCommand(Map<String, String> environment, Termination termination) {
    this.environment = environment;
    this.termination = termination;
  }

  /** The command with the flags of the log, which are those of {@code serve}. */
  static CommandSpec spec(InjectCommand command) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    SettingFlags.add(LogSettings.ALL, spec);
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    log = logConfig();
    InjectConfig config = config();
    Component component;
    try {
      component = component();
    } catch (IOException | MalformedDocumentException e) {
      throw new ParameterException(spec.commandLine(), "--component: " + reason(e), e);
    }
    List<String> problems = problems(config.access());
    if (!problems.isEmpty()) {
      problems.forEach(spec.commandLine().getErr()::println);
      return ExitCode.USAGE;
    }
    Logging.install(log);
    SelfMetrics selfMetrics = new SelfMetrics(Version.text());
    Vertx vertx = OwnVertx.start(selfMetrics, HeapBudget.ofThisProcess().share(Use.HTTP));
    try {
      return serve(vertx, new InjectServer(config, component, selfMetrics.registry()));
    } finally {
      close(vertx);
    }
  }

  /** Options are called like the settings of the sidecar. */
  private static List<String> problems(AccessConfig access) {
    try (AccessCheck check = new AccessCheck()) {
      check.look("inject", access);
      return check.problems().stream()
          .map(problem -> problem.replaceAll("\\btls\\.", "--tls-"))
          .toList();
    }
  }

  private LogConfig logConfig() {
    try {
      Map<String, String> flags =
          SettingFlags.read(LogSettings.ALL, spec.commandLine().getParseResult());
      return LogSettings.read(flags, environment);
    } catch (ConfigException e) {
      throw new ParameterException(spec.commandLine(), String.join("; ", e.problems()), e);
    }
  }

  private InjectConfig config() {
    Path certificateFile = certificate;
    Path keyFile = key;
    if (certificateFile == null || keyFile == null) {
      throw new ParameterException(
          spec.commandLine(), "--tls-certificate and --tls-key are required");
    }
    AccessConfig access = new AccessConfig(new TlsConfig(certificateFile, keyFile, clientCa), null);
    try {
      return new InjectConfig(host, port, access, limits(), maxBodyBytes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** An API server waits 30 s at most for a webhook. */
  private static HttpLimits limits() {
    return SettingRecords.of(
        HttpLimits.class, Map.of("http.request-timeout", "30s", "query.max-series", "1"));
  }

  private Component component() throws IOException, MalformedDocumentException {
    Component found =
        componentFolder == null ? ComponentFile.ofBuild() : ComponentFile.read(componentFolder);
    return image == null ? found : found.withImage(image);
  }

  private int serve(Vertx vertx, InjectServer server) throws InterruptedException {
    try {
      Sidecar.await(vertx.deployVerticle(server), START_SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return notStarted(e);
    }
    termination.started(() -> {});
    say("event=ready https={0}", "https://" + host + ":" + server.actualPort());
    termination.await();
    server.announceEnd();
    Thread.sleep(drain.toMillis());
    return ExitCode.OK;
  }

  private int notStarted(Exception e) {
    PrintWriter err = spec.commandLine().getErr();
    if (e.getCause() instanceof ListenException listen) {
      err.println("cannot start: --" + listen.part() + ": " + listen.problem());
      return listen.mayPass() ? ExitCode.SOFTWARE : ExitCode.USAGE;
    }
    err.println("cannot start: " + reason(e));
    return ExitCode.SOFTWARE;
  }

  private void close(Vertx vertx) {
    try {
      Sidecar.await(vertx.close(), STOP_SECONDS);
      say("event=stopped");
      termination.ended();
    } catch (ExecutionException | TimeoutException e) {
      spec.commandLine().getErr().println("not stopped in order: " + reason(e));
    }
  }

  private void say(String template, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(Logging.line(log.format(), InjectCommand.class, template, values));
    out.flush();
  }

  private static String reason(Exception e) {
    Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    return cause instanceof MalformedDocumentException
        ? String.valueOf(cause.getMessage())
        : CauseText.of(cause);
  }
}
