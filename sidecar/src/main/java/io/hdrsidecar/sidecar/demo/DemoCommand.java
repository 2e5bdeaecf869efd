package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.WrongSettingException;
import io.hdrsidecar.sidecar.input.DurationConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code demo}: reads the options, starts a sidecar and runs the {@link Demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Shows coordinated omission: an open load on a fixed schedule calls a mock service that"
          + " stalls, and each call is recorded twice, from its actual and from its intended"
          + " start.",
      "The sidecar runs in this process; the load reaches it through the client and a socket.",
      "Of the environment it heeds HDR_SIDECAR_HTTP_HOST, HDR_SIDECAR_INGEST_HOST, both ports,"
          + " HDR_SIDECAR_LOG_LEVEL and HDR_SIDECAR_LOG_FORMAT, as serve does."
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--duration",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "How long to make calls: 500ms, 20s, 5m (default: until Ctrl-C).")
  private @Nullable Duration duration;

  @Option(
      names = "--rate",
      paramLabel = "<calls/s>",
      defaultValue = "10000",
      description = "Calls a second, all threads together.")
  private long rate;

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "25",
      description = "Threads, each with its own staggered part of the schedule.")
  private int threads;

  @Option(
      names = "--seed",
      paramLabel = "<number>",
      defaultValue = "1",
      description = "Of the mock service's choices; the same seed gives each thread the same.")
  private long seed;

  @Option(
      names = "--service",
      paramLabel = "<service>",
      defaultValue = "four-mode",
      converter = ServiceConverter.class,
      description = {
        "four-mode: 90%% of calls take 0.2-1 ms, 9%% 1-10 ms, 0.99%% 10-50 ms, and 0.01%% stop"
            + " everything for 50-200 ms.",
        "fixed:<duration>: each call takes that long, such as fixed:4ms."
      })
  private ServiceSpec service = new ServiceSpec.FourMode();

  @Option(
      names = "--http-port",
      paramLabel = "<port>",
      description = {
        "Port for the explorer, /metrics and the API; 0 takes a free one",
        "(default: HDR_SIDECAR_HTTP_PORT, or 9925)."
      })
  private @Nullable Integer httpPort;

  @Option(
      names = "--ingest-port",
      paramLabel = "<port>",
      description = {
        "Port for recorded intervals; 0 takes a free one",
        "(default: HDR_SIDECAR_INGEST_PORT, or 9924)."
      })
  private @Nullable Integer ingestPort;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private final SidecarLauncher launcher;

  /** The command, and how it starts its sidecar. */
  public DemoCommand(SidecarLauncher launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs the demo.
   *
   * @return exit code: 0; with the reason on stderr 1 when the sidecar does not start or answer, 2
   *     when it cannot with these options and this environment
   * @throws ParameterException for options out of range
   */
  @Override
  public Integer call() throws InterruptedException {
    LoadPlan plan = plan();
    try (RunningSidecar sidecar = launcher.start(ingestPort, httpPort);
        HdrSidecarClient client = HdrSidecarClient.create(clientConfig(sidecar))) {
      SidecarApi api = new SidecarApi(sidecar.httpAddress());
      PrintWriter out = spec.commandLine().getOut();
      boolean ended = new Demo(plan, api, sidecar.window(), out).run(client, sidecar::onInterrupt);
      if (ended) {
        timeTransport(sidecar, new TransportReport(sidecar, api, out), plan.duration());
      }
      return CommandLine.ExitCode.OK;
    } catch (WrongSettingException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private static void timeTransport(RunningSidecar sidecar, TransportReport report, Duration ofLoad)
      throws IOException {
    sidecar.onInterrupt(Thread.currentThread()::interrupt);
    try {
      report.run(clientConfig(sidecar), ofLoad);
    } catch (InterruptedException e) {
      // Who wants the end has seen the load's table, and waits for no other.
    }
  }

  private LoadPlan plan() {
    try {
      return new LoadPlan(
          new StaggeredSchedule(rate, threads),
          service,
          seed,
          duration == null ? LoadPlan.UNLIMITED : duration);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }

  private static ClientConfig clientConfig(RunningSidecar sidecar) {
    return ClientConfig.builder()
        .address(sidecar.ingestAddress())
        .shutdownHook(false) // Ctrl-C ends the load first, and then the demo closes the client
        .build();
  }

  /** {@code four-mode}, {@code fixed:4ms}. */
  private static final class ServiceConverter implements ITypeConverter<ServiceSpec> {
    @Override
    public ServiceSpec convert(String text) {
      try {
        return ServiceSpec.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
