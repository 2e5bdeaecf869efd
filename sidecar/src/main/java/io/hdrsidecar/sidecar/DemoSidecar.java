package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.demo.SidecarLauncher;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.WrongSettingException;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.logs.LogFormat;
import io.hdrsidecar.sidecar.logs.LogLevel;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.sla.SlaFile;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of the demo: default settings but for the ports, the example of an SLA, and a quiet
 * log.
 */
record DemoSidecar(Sidecar sidecar, Termination termination) implements RunningSidecar {
  private static final Set<String> PORTS =
      Set.of("HDR_SIDECAR_INGEST_PORT", "HDR_SIDECAR_HTTP_PORT");

  /** Starts it for each demo, in an environment that may name the ports. */
  static SidecarLauncher launcher(Map<String, String> environment, Termination termination) {
    Map<String, String> ports = new HashMap<>(environment);
    ports.keySet().retainAll(PORTS);
    return (ingestPort, httpPort) -> start(config(flags(ingestPort, httpPort), ports), termination);
  }

  private static Map<String, String> flags(
      @Nullable Integer ingestPort, @Nullable Integer httpPort) {
    Map<String, String> flags = new HashMap<>();
    if (ingestPort != null) {
      flags.put("--ingest-port", ingestPort.toString());
    }
    if (httpPort != null) {
      flags.put("--http-port", httpPort.toString());
    }
    return flags;
  }

  private static SidecarConfig config(Map<String, String> flags, Map<String, String> environment)
      throws WrongSettingException {
    try {
      return ConfigLoader.load(flags, environment, null);
    } catch (ConfigException e) {
      throw new WrongSettingException(String.join("; ", e.problems()), e);
    }
  }

  private static RunningSidecar start(SidecarConfig config, Termination termination)
      throws IOException {
    Logging.install(new LogConfig(LogFormat.LOGFMT, LogLevel.WARN));
    try {
      return new DemoSidecar(Sidecar.start(config.withSlas(SlaFile.example())), termination);
    } catch (StartFailedException e) {
      throw new IOException(e.getMessage() + hint(e.getCause()), e);
    }
  }

  private static String hint(@Nullable Throwable cause) {
    return cause != null && cause.getCause() instanceof ListenException
        ? "; --ingest-port and --http-port name others"
        : "";
  }

  @Override
  public String ingestAddress() {
    return sidecar.ingestAddress();
  }

  @Override
  public URI httpAddress() {
    return sidecar.httpAddress();
  }

  @Override
  public String window() {
    return sidecar.config().merge().windows().get(0).name();
  }

  @Override
  public void onInterrupt(Runnable reaction) {
    termination.started(reaction);
  }

  @Override
  public void close() {
    sidecar.close();
    termination.ended();
  }
}
