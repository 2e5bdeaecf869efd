package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.ListenException;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.hdrsidecar.sidecar.cli.LogServer;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.files.LogStore;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.memory.MemoryBound;
import io.hdrsidecar.sidecar.selfmetrics.SelfMetrics;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaFileException;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar's explorer and queries over files: its HTTP server, and nothing that takes values.
 */
final class LogExplorerServer implements LogServer {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int NO_BODIES = 1024;

  private final Map<String, String> environment;

  /** Logs as the environment says. */
  LogExplorerServer(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public void check(@Nullable Path slaFile) {
    logConfig();
    if (slaFile != null) {
      rules(slaFile);
    }
  }

  @Override
  public void serve(LogStore logs, int port, @Nullable Path slaFile, Consumer<URI> onReady)
      throws IOException {
    List<SlaRule> rules = slaFile == null ? List.of() : rules(slaFile);
    Logging.install(logConfig());
    Termination termination = new Termination();
    termination.listen();
    termination.started(() -> {});
    SelfMetrics selfMetrics = new SelfMetrics(Version.text());
    Vertx vertx = OwnVertx.start(selfMetrics, HeapBudget.ofThisProcess().share(Use.HTTP));
    try (SlaEvaluator slas = new SlaEvaluator(logs.store(), logs.clock())) {
      slas.begin(rules);
      ProcessStatus status =
          new ProcessStatus(Map::of, new MemoryBound(List.of()), logs.store()::memory, () -> "");
      HttpServerVerticle server =
          HttpServerVerticle.readOnly(
              new HttpConfig(LOOPBACK, port, NO_BODIES),
              logs.store(),
              selfMetrics.registry(),
              status,
              slas,
              logs.clock());
      Sidecar.await(vertx.deployVerticle(server), Sidecar.START_SECONDS);
      slas.start();
      status.ready(true);
      onReady.accept(URI.create("http://" + LOOPBACK + ":" + server.actualPort() + "/"));
      termination.await();
    } catch (ExecutionException | TimeoutException e) {
      String problem =
          e.getCause() instanceof ListenException l ? "--port: " + l.problem() : Sidecar.reason(e);
      throw new IOException("cannot start: " + problem, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Sidecar.waitFor(vertx.close(), Sidecar.STOP_TIME);
    }
  }

  private LogConfig logConfig() {
    try {
      return LogSettings.quiet(environment);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(String.join("; ", e.problems()), e);
    }
  }

  private static List<SlaRule> rules(Path file) {
    try {
      return SlaFile.read(file, null);
    } catch (SlaFileException e) {
      throw new IllegalArgumentException("--sla-file: " + e.getMessage(), e);
    }
  }
}
