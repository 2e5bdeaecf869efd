package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.demo.SidecarLauncher;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.WrongSettingException;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.sla.SlaFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of the demo: default settings but for where it listens and how it logs, and the
 * example of an SLA.
 */
record DemoSidecar(Sidecar sidecar, Optional<Path> folder, Termination termination)
    implements RunningSidecar {
  private static final Logger LOG = System.getLogger(DemoSidecar.class.getName());

  /** Leaves room for the socket itself, and the name that it listens at first. */
  private static final int LONGEST_FOLDER = 80;

  /**
   * Settings that the environment decides. With other ones, what the demo explains might not come.
   */
  private static final Set<String> USED =
      Set.of("http.host", "http.port", "ingest.host", "ingest.port", "log.format", "log.level");

  /** Starts it for each demo, in this environment. */
  static SidecarLauncher launcher(Map<String, String> environment, Termination termination) {
    Map<String, String> used = LogSettings.quietly(environment);
    List<String> unused = unusedVariables(environment);
    used.keySet().removeAll(unused);
    return (ingestPort, httpPort) -> {
      Map<String, String> flags = flags(ingestPort, httpPort);
      Logging.install(config(flags, used).log()); // before there is a folder to remove
      Optional<Path> folder = socketFolder();
      try {
        folder.ifPresent(at -> flags.put("--ingest-unix-socket", at.resolve("s").toString()));
        return start(config(flags, used), unused, folder, termination);
      } catch (IOException e) {
        remove(folder);
        throw e;
      }
    };
  }

  /** Those that {@code serve} would heed. What is none of its settings is left, to be refused. */
  private static List<String> unusedVariables(Map<String, String> environment) {
    Stream<String> settings =
        Settings.all().stream()
            .filter(setting -> !USED.contains(setting.key()))
            .map(DeclaredSetting::environmentVariable);
    return Stream.concat(settings, Stream.of(ConfigLoader.FILE_VARIABLE))
        .filter(environment::containsKey)
        .sorted()
        .toList();
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

  /** None where folders for temporary files cannot be had, or their names leave no room. */
  private static Optional<Path> socketFolder() {
    try {
      Path folder = Files.createTempDirectory("hdr-sidecar-demo");
      if (folder.toString().length() <= LONGEST_FOLDER) {
        return Optional.of(folder);
      }
      Files.delete(folder);
    } catch (IOException e) {
      warn("no Unix socket is timed; a folder for it cannot be made: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** With what a sidecar that did not start has left in it. */
  private static void remove(Optional<Path> folder) {
    if (folder.isEmpty()) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder.get())) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      warn("cannot be removed: " + e.getMessage());
    }
  }

  private static SidecarConfig config(Map<String, String> flags, Map<String, String> environment)
      throws WrongSettingException {
    try {
      return ConfigLoader.load(flags, environment, null);
    } catch (ConfigException e) {
      throw new WrongSettingException(String.join("; ", e.problems()), e);
    }
  }

  private static RunningSidecar start(
      SidecarConfig config, List<String> unused, Optional<Path> folder, Termination termination)
      throws IOException {
    config.warnings().forEach(DemoSidecar::warn);
    if (!unused.isEmpty()) {
      warn("the demo does not use " + String.join(", ", unused));
    }
    try {
      return new DemoSidecar(
          Sidecar.start(config.withSlas(SlaFile.example())), folder, termination);
    } catch (StartFailedException e) {
      throw new IOException(e.getMessage() + hint(e.getCause()), e);
    }
  }

  private static void warn(String problem) {
    LOG.log(Level.WARNING, "event=config problem={0}", problem);
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
  public Optional<String> unixAddress() {
    return sidecar.unixAddress();
  }

  /** By a name that a browser can open, also where it listens on every address. */
  @Override
  public URI httpAddress() {
    return sidecar.explorerAddress().orElseGet(sidecar::httpAddress);
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
    remove(folder);
    termination.ended();
  }
}
