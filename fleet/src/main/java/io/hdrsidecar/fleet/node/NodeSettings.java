package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.route.RouteConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ListenerConfig;
import io.hdrsidecar.sidecar.config.ListenerRules;
import io.hdrsidecar.sidecar.config.ServingConfig;
import io.hdrsidecar.sidecar.config.SettingReader;
import io.hdrsidecar.sidecar.config.SettingValues;
import io.hdrsidecar.sidecar.config.SlaConfig;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.hdrsidecar.sidecar.sla.SlaRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is configurable of a node: merging, and the face that it has in common with a sidecar.
 *
 * @param node brokers, stores, steps
 * @param route how nodes ask each other
 * @param merge limits and windows of what is shown
 * @param expose how series are shown to Prometheus
 * @param http where HTTP is served
 * @param slas rules of service level agreements
 * @param log how the process logs
 * @param texts every setting as it is in force, by key
 * @param warnings what looks like a mistake and is none for sure, one line each
 */
public record NodeSettings(
    NodeConfig node,
    RouteConfig route,
    MergeConfig merge,
    ExposeConfig expose,
    HttpConfig http,
    List<SlaRule> slas,
    LogConfig log,
    Map<String, String> texts,
    List<String> warnings)
    implements ServingConfig {
  /** Of the sidecar's records, what has no meaning without clients and uploads. */
  private static final Set<String> NOT_HERE =
      Set.of("ingest.tls", "ingest.token-file", "http.max-body");

  private static final String MAX_LABEL_LENGTH = "series.max-label-length";

  /** Gateways have judged what is of a series itself; what they keep of its place comes on top. */
  private static final String MAX_LABEL_LENGTH_DEFAULT = "65536";

  private static final List<DeclaredSetting> ALL =
      Stream.of(
              NodeConfig.class,
              RouteConfig.class,
              MergeConfig.class,
              ExposeConfig.class,
              HttpConfig.class,
              ListenerConfig.class,
              SlaConfig.class,
              LogConfig.class)
          .flatMap(type -> SettingRecords.settings(type).stream())
          .filter(setting -> !NOT_HERE.contains(setting.key()))
          .map(s -> s.key().equals(MAX_LABEL_LENGTH) ? s.withDefault(MAX_LABEL_LENGTH_DEFAULT) : s)
          .toList();

  /** Takes copies of map and lists. */
  public NodeSettings {
    slas = List.copyOf(slas);
    texts = Map.copyOf(texts);
    warnings = List.copyOf(warnings);
  }

  /** Every setting, in the order in which people read them. */
  public static List<DeclaredSetting> all() {
    return ALL;
  }

  /**
   * Reads them: flag before environment before file before default.
   *
   * @param flags from flag to text
   * @param file the YAML file; null takes the one named by {@code HDR_SIDECAR_CONFIG}, if any
   * @throws ConfigException with every problem found
   */
  public static NodeSettings load(
      Map<String, String> flags, Map<String, String> environment, @Nullable Path file)
      throws ConfigException {
    List<String> problems = new ArrayList<>();
    SettingValues values =
        SettingReader.read(ALL, flags, environment, file, HeapBudget.ofThisProcess(), problems);
    List<String> slaProblems = new ArrayList<>();
    List<SlaRule> slas = SlaConfig.rules(values, slaProblems);
    if (SlaConfig.isRequired(values)) {
      problems.addAll(slaProblems);
    }
    throwIfAny(problems);
    ListenerRules rules = new ListenerRules(values.get(ListenerConfig.class), problems);
    HttpConfig http = values.get(HttpConfig.class, rules.http());
    throwIfAny(problems);
    List<String> warnings = new ArrayList<>(slaProblems);
    ListenerRules.exposure(http).ifPresent(warnings::add);
    ListenerRules.unusedTokens(environment, null, http.access()).ifPresent(warnings::add);
    return new NodeSettings(
        values.get(NodeConfig.class),
        values.get(RouteConfig.class),
        values.get(MergeConfig.class),
        values.get(ExposeConfig.class),
        http,
        slas,
        values.get(LogConfig.class),
        values.texts(),
        warnings);
  }

  private static void throwIfAny(List<String> problems) throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }
}
