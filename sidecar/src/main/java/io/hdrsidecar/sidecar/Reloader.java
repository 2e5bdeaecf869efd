package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.HttpServerVerticle;
import io.hdrsidecar.sidecar.api.Reload;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigReader;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.logs.Logging;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.receive.FrameServer;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.sla.SlaEvaluator;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes up a changed configuration: everything is read and checked first, and used only if nothing
 * is wrong. What cannot change while running is named and waits for a restart.
 */
final class Reloader implements Reload {
  private static final String SLA_FILE = "sla.file";

  /** Settings that can change while running. */
  private static final Set<String> RELOADABLE =
      Settings.all().stream()
          .filter(setting -> setting.declaration().reloadable())
          .map(DeclaredSetting::key)
          .collect(Collectors.toUnmodifiableSet());

  private static final Logger LOG = System.getLogger(Reloader.class.getName());

  private final ConfigReader reader;
  private volatile SidecarConfig inForce;
  private volatile Map<String, String> texts;
  private volatile long lastSuccessMillis;
  private volatile String trouble;
  private @Nullable FrameServer frameServer;
  private @Nullable HttpServerVerticle httpServer;
  private @Nullable SlaEvaluator slas;
  private @Nullable StatsdStage statsd;

  Reloader(SidecarConfig config, ConfigReader reader) {
    this.inForce = config;
    this.texts = config.texts();
    this.reader = reader;
    this.trouble = troubleOf("no rules are in force", config.slaProblems());
    this.lastSuccessMillis = trouble.isEmpty() ? System.currentTimeMillis() : 0;
  }

  private static String troubleOf(String inForce, List<String> problems) {
    return problems.isEmpty()
        ? ""
        : "configuration is refused, and "
            + inForce
            + ": "
            + problems.get(0)
            + (problems.size() == 1 ? "" : " and " + (problems.size() - 1) + " more, see the log");
  }

  /** Why the last reload, or the rules at the start, were refused; empty if they were not. */
  String trouble() {
    return trouble;
  }

  /** Names the servers, which are made with this in hand. */
  synchronized void bind(
      FrameServer ingest, HttpServerVerticle http, SlaEvaluator evaluator, StatsdStage values) {
    statsd = values;
    frameServer = ingest;
    httpServer = http;
    slas = evaluator;
  }

  /** How the last reload went, for scrapes. */
  List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "config.last.reload.successful",
            "1 when the last reload, or the start, took what it was given, 0 when it refused it",
            () -> trouble.isEmpty() ? 1 : 0),
        Metric.gauge(
            "config.last.reload.success.timestamp.seconds",
            "When the last reload that took what it was given, or the start, was; 0 for none yet",
            () -> lastSuccessMillis / 1_000));
  }

  /** Settings in force, by key. Any thread. */
  Map<String, String> texts() {
    return texts;
  }

  /** The settings in force, of those that can change. Any thread. */
  SidecarConfig inForce() {
    return inForce;
  }

  @Override
  public boolean isEnabled() {
    return inForce.life().reload();
  }

  @Override
  public synchronized Outcome reload() {
    Outcome outcome;
    try {
      outcome = reload(reader.read());
    } catch (ConfigException e) {
      outcome = new Outcome(List.of(), List.of(), e.problems());
    }
    trouble = troubleOf("the one before is in force", outcome.problems());
    if (outcome.problems().isEmpty()) {
      lastSuccessMillis = System.currentTimeMillis();
      LOG.log(
          Level.INFO,
          "event=reloaded changed={0} needs_restart={1}",
          outcome.changed(),
          outcome.needsRestart());
    } else {
      outcome.problems().forEach(p -> LOG.log(Level.ERROR, "event=reload_refused problem={0}", p));
    }
    return outcome;
  }

  private Outcome reload(SidecarConfig next) {
    List<String> problems = new ArrayList<>(next.slaProblems());
    List<Runnable> prepared = new ArrayList<>();
    ingestAccess()
        .ifPresent(access -> prepare(access, next.receive().access(), prepared, problems));
    httpAccess().ifPresent(access -> prepare(access, next.http().access(), prepared, problems));
    if (slas != null) {
      problems.addAll(slas.problemsOf(next.slas()));
    }
    boolean otherMapping = statsd != null && statsd.prepare(next.statsd(), prepared, problems);
    if (!problems.isEmpty()) {
      return new Outcome(List.of(), List.of(), problems);
    }
    prepared.forEach(Runnable::run);
    use(next);
    return taken(next, otherMapping);
  }

  private Optional<Access> ingestAccess() {
    return frameServer == null ? Optional.empty() : frameServer.access();
  }

  private Optional<Access> httpAccess() {
    return httpServer == null ? Optional.empty() : httpServer.access();
  }

  private static void prepare(
      Access access, AccessConfig config, List<Runnable> prepared, List<String> problems) {
    try {
      prepared.add(access.prepare(config));
    } catch (IOException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  private void use(SidecarConfig next) {
    Logging.setLevel(next.log().level());
    if (httpServer != null) {
      httpServer.expose(next.expose());
    }
    if (slas != null) {
      slas.use(next.slas());
    }
  }

  private Outcome taken(SidecarConfig next, boolean otherMapping) {
    Map<String, String> after = new TreeMap<>(texts);
    List<String> changed = new ArrayList<>();
    List<String> needsRestart = new ArrayList<>();
    new TreeMap<>(next.texts())
        .forEach(
            (key, text) -> {
              if (text.equals(texts.get(key))) {
                return;
              }
              if (RELOADABLE.contains(key)) {
                changed.add(key);
                after.put(key, text);
              } else {
                needsRestart.add(key);
              }
            });
    if (!next.slas().equals(inForce.slas()) && !changed.contains(SLA_FILE)) {
      changed.add(SLA_FILE); // the same file with other rules
    }
    if (otherMapping && !changed.contains(StatsdConfig.MAPPING_FILE)) {
      changed.add(StatsdConfig.MAPPING_FILE);
    }
    texts = Map.copyOf(after);
    inForce = next;
    return new Outcome(changed, needsRestart, List.of());
  }
}
