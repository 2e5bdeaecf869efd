package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalMemory;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.receive.CrashFolderConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.receive.ReceiveLimits;
import io.hdrsidecar.sidecar.receive.ReceiveMemory;
import io.hdrsidecar.sidecar.receive.SpillFolderConfig;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.upstream.UpstreamConfig;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the configuration: flag before environment before file before default. */
public final class ConfigLoader {
  /** The variable of the environment that names the YAML file. */
  public static final String FILE_VARIABLE = DeclaredSetting.ENVIRONMENT_PREFIX + "CONFIG";

  private ConfigLoader() {}

  /**
   * The configuration.
   *
   * @param flags from flag, such as {@code --ingest-port}, to text; others are ignored
   * @param environment the environment variables
   * @param file the YAML file; null takes the one named by {@code HDR_SIDECAR_CONFIG}, if any
   * @throws ConfigException with every problem found
   */
  public static SidecarConfig load(
      Map<String, String> flags, Map<String, String> environment, @Nullable Path file)
      throws ConfigException {
    return load(flags, environment, file, HeapBudget.ofThisProcess());
  }

  /**
   * The same for another heap.
   *
   * @param heap what limits without a number of their own follow from
   */
  public static SidecarConfig load(
      Map<String, String> flags,
      Map<String, String> environment,
      @Nullable Path file,
      HeapBudget heap)
      throws ConfigException {
    List<String> problems = new ArrayList<>();
    SettingValues values =
        SettingReader.read(Settings.all(), flags, environment, file, heap, problems);
    List<String> slaProblems = new ArrayList<>();
    List<SlaRule> slas = SlaConfig.rules(values, slaProblems);
    if (SlaConfig.isRequired(values)) {
      problems.addAll(slaProblems);
    }
    throwIfAny(problems);
    LifeConfig life = values.get(LifeConfig.class);
    checkTogether(values, life, problems);
    ListenerRules rules = new ListenerRules(values.get(ListenerConfig.class), problems);
    ReceiveConfig receive = values.get(ReceiveConfig.class, rules.ingest());
    HttpConfig http = values.get(HttpConfig.class, rules.http());
    UpstreamConfig upstream = upstream(values, problems);
    List<String> warnings = new ArrayList<>(ListenerRules.exposures(receive, http));
    if (upstream != null) {
      warnings.addAll(upstream.exposures());
    }
    StatsdConfig statsd = values.get(StatsdConfig.class);
    warnings.addAll(statsd.exposures());
    OtlpConfig otlp = values.get(OtlpConfig.class, AccessConfig.OPEN);
    otlp = otlp.with(rules.other(OtlpConfig.TLS, otlp.tls(), otlp.tokens()));
    warnings.addAll(otlp.exposures());
    ExportConfig export = export(values, environment, http.port(), warnings, problems);
    warnings.addAll(slaProblems);
    if (life.strict()) {
      warnings.forEach(line -> problems.add(line + " (refused by strict)"));
    }
    throwIfAny(problems);
    MergeConfig merge = values.get(MergeConfig.class);
    addWarnings(merge, export, warnings);
    warnings.addAll(UnusedSettings.warnings(values));
    EnvironmentNames.unusedTokens(environment, receive.access(), http.access())
        .ifPresent(warnings::add);
    return new SidecarConfig(
        receive,
        merge,
        values.get(ExposeConfig.class),
        http,
        journal(values, receive.limits(), heap),
        values.getIfSet(SpillFolderConfig.class),
        values.getIfSet(CrashFolderConfig.class),
        upstream,
        statsd,
        otlp,
        export,
        values.get(HistoryConfig.class),
        slas,
        slaProblems,
        life,
        values.get(SelfConfig.class),
        values.get(LogConfig.class),
        values.texts(),
        warnings);
  }

  private static @Nullable UpstreamConfig upstream(SettingValues values, List<String> problems) {
    try {
      UpstreamConfig upstream = values.getIfSet(UpstreamConfig.class);
      if (upstream != null) {
        upstream.requireUsable();
      }
      return upstream;
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static @Nullable ExportConfig export(
      SettingValues values,
      Map<String, String> environment,
      int httpPort,
      List<String> warnings,
      List<String> problems) {
    if (Stream.of(ExportConfig.OTLP_ADDRESS, ExportConfig.REMOTE_WRITE_ADDRESS)
        .allMatch(key -> values.texts().getOrDefault(key, "").isBlank())) {
      return null; // Nobody is asked what this host is called.
    }
    try {
      ExportConfig export =
          values.get(ExportConfig.class, OtelResource.of(environment, httpPort, warnings));
      export.requireUsable();
      warnings.addAll(export.warnings());
      return export;
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static void throwIfAny(List<String> problems) throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** What each setting's own range cannot say. */
  private static void checkTogether(SettingValues values, LifeConfig life, List<String> problems) {
    long least = 4 * values.find(JournalConfig.ROTATE_SIZE, Long.class).orElseThrow();
    if (values.find(JournalConfig.RETAIN_SIZE, Long.class).orElseThrow() < least) {
      problems.add(
          JournalConfig.RETAIN_SIZE
              + ": must be at least 4 times "
              + JournalConfig.ROTATE_SIZE
              + ", so "
              + least
              + " bytes");
    }
    boolean journalsOtlp =
        values.find(OtlpConfig.ADDRESS, InetSocketAddress.class).isPresent()
            && values.find(JournalConfig.DIRECTORY, Path.class).isPresent();
    Duration flush = values.find(JournalConfig.FLUSH, Duration.class).orElseThrow();
    if (journalsOtlp && flush.compareTo(OtlpConfig.LONGEST_FLUSH) > 0) {
      problems.add(
          JournalConfig.FLUSH
              + ": must be at most "
              + OtlpConfig.LONGEST_FLUSH.toSeconds()
              + "s with "
              + OtlpConfig.ADDRESS
              + ", whose exporters wait for the journal");
    }
    if (!life.reloadInterval().isZero() && !life.reload()) {
      problems.add("reload-interval: needs reload: true");
    }
  }

  /** What is allowed and hardly meant. */
  private static void addWarnings(
      MergeConfig merge, @Nullable ExportConfig export, List<String> warnings) {
    if (export != null
        && !merge.idleExpiry().isZero()
        && merge.idleExpiry().compareTo(export.interval().multipliedBy(2)) < 0) {
      warnings.add(
          "series.idle-expiry: shorter than twice export.interval, so a series may end before"
              + " it is pushed; raise it");
    }
    for (WindowSpec window : merge.windows()) {
      if (!merge.idleExpiry().isZero() && merge.idleExpiry().compareTo(window.span()) < 0) {
        warnings.add(
            "series.idle-expiry: shorter than the window "
                + window.name()
                + ", which ends with its series; raise it to "
                + window.name()
                + " or more");
      }
    }
  }

  /**
   * The files that a configuration was read from and that can change while it is in force: its own,
   * that of the rules, and the one that maps names.
   *
   * @param settings in force, by key
   */
  public static List<Path> files(
      Map<String, String> environment, @Nullable Path file, Map<String, String> settings) {
    Path usedFile = SettingReader.fileIn(environment, file);
    List<Path> files = new ArrayList<>();
    if (usedFile != null) {
      files.add(usedFile);
    }
    for (String setting : List.of(SlaConfig.FILE, StatsdConfig.MAPPING_FILE)) {
      String named = settings.getOrDefault(setting, "");
      if (!named.isBlank()) {
        files.add(Path.of(named.strip()));
      }
    }
    return files;
  }

  private static @Nullable JournalConfig journal(
      SettingValues values, ReceiveLimits limits, HeapBudget heap) {
    int instances =
        ReceiveMemory.maxInstances(limits.maxInstances(), heap, /* withJournal= */ true);
    return values.getIfSet(
        JournalConfig.class, JournalMemory.maxInstances(instances, heap), limits.instanceMemory());
  }
}
