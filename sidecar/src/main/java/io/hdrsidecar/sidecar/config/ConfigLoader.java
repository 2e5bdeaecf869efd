package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.journal.JournalMemory;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.merge.MergeConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.receive.ReceiveLimits;
import io.hdrsidecar.sidecar.receive.ReceiveMemory;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaFileException;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration: flag before environment before file before default.
 *
 * <p>An unknown key in the file is a mistake and refused, and so is an unknown variable {@code
 * HDR_SIDECAR_*}, but for those that {@link EnvironmentNames} expects.
 */
public final class ConfigLoader {
  private static final int MAX_FILE_BYTES = 1 << 20;

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
    Path usedFile = file == null ? fileNamedBy(environment) : file;
    List<String> problems = new ArrayList<>();
    SmallRyeConfigBuilder builder =
        new SmallRyeConfigBuilder()
            .withSources(ConfigSources.flags(flags), ConfigSources.environment(environment));
    String namedBy = file == null ? EnvironmentNames.FILE_VARIABLE : "--config";
    FileLines lines = addFile(builder, namedBy, usedFile, problems);
    for (String variable : EnvironmentNames.unknown(environment)) {
      problems.add(variable + ": no such setting (from the environment)");
    }
    SmallRyeConfig config = builder.build();
    SettingValues values = new SettingValues(config, lines, problems);
    List<SlaRule> slas = slas(values, problems);
    throwIfAny(problems);
    checkTogether(values, problems);
    ListenerRules rules = new ListenerRules(values, problems);
    AccessConfig ingest = rules.ingest();
    AccessConfig http = rules.http();
    List<String> exposures = rules.exposures(ingest, http);
    if (values.get(AccessSettings.STRICT)) {
      exposures.forEach(line -> problems.add(line + " (refused by strict)"));
    }
    throwIfAny(problems);
    try {
      List<String> warnings = new ArrayList<>(exposures);
      BoundSettings.addWarnings(values, warnings);
      return build(values, slas, ingest, http, warnings, heap);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(List.of(String.valueOf(e.getMessage())));
    }
  }

  private static void throwIfAny(List<String> problems) throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** The rules; every problem in their file stands beside those of the settings. */
  private static List<SlaRule> slas(SettingValues values, List<String> problems) {
    Path file = values.find(SlaSettings.SLA_FILE).flatMap(path -> path).orElse(null);
    boolean required = values.find(SlaSettings.SLA_REQUIRED).orElse(true);
    if (file == null || (!required && Files.notExists(file))) {
      return List.of();
    }
    try {
      return SlaFile.read(
          file,
          values
              .find(Settings.WINDOWS)
              .map(windows -> windows.stream().map(WindowSpec::name).toList())
              .orElse(null));
    } catch (SlaFileException e) {
      e.problems().forEach(problem -> problems.add(SlaSettings.SLA_FILE.key() + ": " + problem));
      return List.of();
    }
  }

  /** What each setting's own range cannot say. */
  private static void checkTogether(SettingValues values, List<String> problems) {
    long least = 4 * values.get(Settings.JOURNAL_ROTATE_SIZE);
    if (values.get(Settings.JOURNAL_RETAIN_SIZE) < least) {
      problems.add(
          Settings.JOURNAL_RETAIN_SIZE.key()
              + ": must be at least 4 times "
              + Settings.JOURNAL_ROTATE_SIZE.key()
              + ", so "
              + least
              + " bytes");
    }
    if (!values.get(AccessSettings.RELOAD_INTERVAL).isZero()
        && !values.get(AccessSettings.RELOAD)) {
      problems.add(AccessSettings.RELOAD_INTERVAL.key() + ": needs reload: true");
    }
  }

  /**
   * The files that a configuration was read from and that can change while it is in force: its own,
   * and the one of the rules.
   *
   * @param settings in force, by key
   */
  public static List<Path> files(
      Map<String, String> environment, @Nullable Path file, Map<String, String> settings) {
    Path usedFile = file == null ? fileNamedBy(environment) : file;
    String slaFile = settings.getOrDefault(SlaSettings.SLA_FILE.key(), "");
    List<Path> files = new ArrayList<>();
    if (usedFile != null) {
      files.add(usedFile);
    }
    if (!slaFile.isBlank()) {
      files.add(Path.of(slaFile.strip()));
    }
    return files;
  }

  private static @Nullable Path fileNamedBy(Map<String, String> environment) {
    String name = environment.getOrDefault(EnvironmentNames.FILE_VARIABLE, "");
    return name.isBlank() ? null : Path.of(name);
  }

  private static FileLines addFile(
      SmallRyeConfigBuilder builder, String namedBy, @Nullable Path file, List<String> problems) {
    if (file == null) {
      return FileLines.NONE;
    }
    try {
      String text = WholeFile.text(file, MAX_FILE_BYTES);
      List<String> found = new ArrayList<>();
      FileLines lines = FileLines.of(file, text, found);
      if (found.isEmpty()) {
        addKeys(builder, ConfigSources.file(file, text), lines, problems);
      }
      problems.addAll(found);
      return lines;
    } catch (IOException e) {
      problems.add(namedBy + ": " + CauseText.of(e));
      return FileLines.NONE;
    }
  }

  private static void addKeys(
      SmallRyeConfigBuilder builder, ConfigSource file, FileLines lines, List<String> problems) {
    for (String key : ConfigSources.unknownKeys(file)) {
      problems.add(key + ": no such setting (from " + lines.describe(key) + ")");
    }
    builder.withSources(file);
  }

  private static SidecarConfig build(
      SettingValues values,
      List<SlaRule> slas,
      AccessConfig ingest,
      AccessConfig http,
      List<String> warnings,
      HeapBudget heap) {
    return new SidecarConfig(
        receive(values, ingest),
        merge(values, heap),
        expose(values),
        http(values, http),
        journal(values, heap),
        SpillSettings.build(values),
        values.get(SlaSettings.HISTORY_MAX_MEMORY).applyAsLong(heap.heapBytes()),
        values.get(HistorySettings.HISTORY_JOURNAL),
        slas,
        new LifeConfig(
            values.get(AccessSettings.DRAIN),
            values.get(AccessSettings.RELOAD),
            values.get(AccessSettings.RELOAD_INTERVAL)),
        values.get(SelfSettings.HICCUPS) ? values.get(SelfSettings.HICCUPS_RESOLUTION) : null,
        LogSettings.build(values),
        values.texts(),
        warnings);
  }

  private static ReceiveConfig receive(SettingValues values, AccessConfig access) {
    return new ReceiveConfig(
        values.get(Settings.INGEST_HOST),
        values.get(Settings.INGEST_PORT),
        unixSocket(values),
        access,
        new ReceiveLimits(
            values.get(Settings.INGEST_MAX_BODY),
            values.get(Settings.INGEST_MAX_IN_FLIGHT),
            values.get(Settings.INGEST_MAX_CONNECTIONS),
            values.get(Settings.INGEST_MAX_SERIES),
            values.get(BoundSettings.INGEST_MAX_SERIES_IDS),
            values.get(Settings.INGEST_HELLO_TIMEOUT),
            values.get(Settings.INGEST_IDLE_TIMEOUT),
            values.get(Settings.INGEST_MAX_INSTANCES),
            values.get(Settings.INGEST_INSTANCE_MEMORY)));
  }

  private static @Nullable UnixSocketConfig unixSocket(SettingValues values) {
    String group = values.get(AccessSettings.UNIX_GROUP);
    return values
        .get(Settings.INGEST_UNIX_SOCKET)
        .map(
            path ->
                new UnixSocketConfig(
                    path,
                    values.get(AccessSettings.UNIX_MODE).orElse(null),
                    group.isEmpty() ? null : group))
        .orElse(null);
  }

  private static MergeConfig merge(SettingValues values, HeapBudget heap) {
    return new MergeConfig(
        values.get(Settings.SERIES_MAX),
        values.get(Settings.SERIES_MAX_LAYOUTS),
        (int) values.get(BoundSettings.SERIES_MAX_COUNTERS).applyAsLong(heap.heapBytes()),
        values.get(Settings.WINDOWS),
        values.get(BoundSettings.SERIES_MAX_LABEL_LENGTH),
        values.get(BoundSettings.SERIES_IDLE_EXPIRY),
        values.get(BoundSettings.SERIES_MAX_MEMORY).applyAsLong(heap.heapBytes()));
  }

  private static ExposeConfig expose(SettingValues values) {
    return new ExposeConfig(
        values.get(Settings.QUANTILES),
        values.get(Settings.SECONDS_EDGES),
        values.get(Settings.BYTES_EDGES),
        values.get(Settings.PLAIN_EDGES),
        values.get(Settings.NATIVE_SCHEMA),
        values.get(Settings.NATIVE_MAX_BUCKETS));
  }

  private static HttpConfig http(SettingValues values, AccessConfig access) {
    return new HttpConfig(
        values.get(Settings.HTTP_HOST),
        values.get(Settings.HTTP_PORT),
        values.get(Settings.HTTP_MAX_BODY),
        access,
        values.get(AccessSettings.HTTP_OPEN_METRICS),
        new HttpLimits(
            values.get(AccessSettings.HTTP_MAX_CONNECTIONS),
            values.get(AccessSettings.HTTP_MAX_HEADER),
            values.get(AccessSettings.HTTP_HEADER_TIMEOUT),
            values.get(AccessSettings.HTTP_REQUEST_TIMEOUT),
            values.get(AccessSettings.HTTP_IDLE_TIMEOUT),
            values.get(AccessSettings.QUERY_MAX_SERIES),
            values.get(LiveSettings.HTTP_MAX_STREAMS)),
        QuerySettings.limits(values),
        values.get(ExploreSettings.ENABLED),
        values.get(AccessSettings.HTTP_HOST_NAMES));
  }

  private static @Nullable JournalConfig journal(SettingValues values, HeapBudget heap) {
    Path directory = values.get(Settings.JOURNAL_DIRECTORY).orElse(null);
    if (directory == null) {
      return null;
    }
    return new JournalConfig(
        directory,
        values.get(Settings.JOURNAL_FLUSH),
        values.get(Settings.JOURNAL_FSYNC),
        values.get(Settings.JOURNAL_ROTATE_SIZE),
        values.get(Settings.JOURNAL_ROTATE_TIME),
        values.get(Settings.JOURNAL_RETAIN_SIZE),
        values.get(Settings.JOURNAL_RETAIN_TIME),
        values.get(Settings.JOURNAL_DEGRADE),
        values.get(Settings.JOURNAL_MAX_QUEUED).applyAsLong(heap.heapBytes()),
        JournalMemory.maxInstances(
            ReceiveMemory.maxInstances(
                values.get(Settings.INGEST_MAX_INSTANCES), heap, /* withJournal= */ true),
            heap),
        values.get(Settings.INGEST_INSTANCE_MEMORY));
  }
}
