package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.journal.JournalConfig.Degrade;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * All settings. Flags, environment variables, file keys and {@code serve --help} are made from this
 * list, so that none can be forgotten in one of them.
 */
public final class Settings {
  /** What the names of all environment variables start with. */
  static final String ENVIRONMENT_PREFIX = "HDR_SIDECAR_";

  static final Setting<String> INGEST_HOST =
      SettingTypes.text(
          "ingest.host", "127.0.0.1", "address", "Where clients connect; loopback by default.");
  static final Setting<Integer> INGEST_PORT =
      SettingTypes.integer(
          "ingest.port", "9924", 0, 65535, "TCP port for clients; 0 picks a free one.");
  static final Setting<Optional<Path>> INGEST_UNIX_SOCKET =
      SettingTypes.optionalPath(
          "ingest.unix-socket",
          "path of at most 100 characters; empty for none",
          "Unix socket for clients, beside TCP.");
  static final Setting<Integer> INGEST_MAX_BODY =
      SettingTypes.size(
          "ingest.max-body", "1MiB", "4KiB", "64MiB", "Longest body of a frame from a client.");
  static final Setting<Integer> INGEST_MAX_IN_FLIGHT =
      SettingTypes.integer(
          "ingest.max-in-flight",
          "4096",
          1,
          1_000_000,
          "Most intervals a client may have sent without an answer.");
  static final Setting<Integer> INGEST_MAX_CONNECTIONS =
      SettingTypes.integer(
          "ingest.max-connections", "1000", 1, 100_000, "Most client connections at a time.");
  static final Setting<Integer> INGEST_MAX_SERIES =
      SettingTypes.integer(
          "ingest.max-series-per-connection",
          "1048576",
          1,
          10_000_000,
          "Most series ids on one connection.");
  static final Setting<Duration> INGEST_HELLO_TIMEOUT =
      SettingTypes.duration(
          "ingest.hello-timeout",
          "10s",
          "1s",
          "10m",
          "How long a connection may take to say HELLO.");
  static final Setting<Duration> INGEST_IDLE_TIMEOUT =
      SettingTypes.duration(
          "ingest.idle-timeout",
          "5m",
          "1s",
          "24h",
          "How long a connection may go without a whole frame.");
  static final Setting<Integer> INGEST_MAX_INSTANCES =
      SettingTypes.integer(
          "ingest.max-instances",
          "100000",
          1,
          10_000_000,
          "Most disconnected client instances remembered, so that what they resend is known; a"
              + " quarter of them of one address. Above that, new ones are refused, unless some"
              + " have been away for an hour.");
  static final Setting<Duration> INGEST_INSTANCE_MEMORY =
      SettingTypes.duration(
          "ingest.instance-memory",
          "24h",
          "1s",
          "365d",
          "How long a disconnected client instance is remembered.");

  static final Setting<Integer> SERIES_MAX =
      SettingTypes.integer(
          "series.max",
          "10000",
          1,
          10_000_000,
          "Most series; further label sets of a name share series with overflow=\"true\".");
  static final Setting<Integer> SERIES_MAX_LAYOUTS =
      SettingTypes.integer(
          "series.max-layouts",
          "4",
          1,
          64,
          "Most pairs of lowest value and digits kept apart in one series.");
  static final Setting<List<WindowSpec>> WINDOWS =
      new Setting<>(
          "windows",
          "1m",
          "list of spans, each with its step if wanted: 1m,5m/5s; empty for none",
          "Sliding windows for percentile gauges.",
          text -> text.isBlank() ? List.of() : WindowSpec.parseList(text));

  static final Setting<String> HTTP_HOST =
      SettingTypes.text(
          "http.host", "127.0.0.1", "address", "Where HTTP is served; loopback by default.");
  static final Setting<Integer> HTTP_PORT =
      SettingTypes.integer(
          "http.port", "9925", 0, 65535, "Port for scrapes and queries; 0 picks a free one.");
  static final Setting<Integer> HTTP_MAX_BODY =
      SettingTypes.size(
          "http.max-body", "16MiB", "1KiB", "1GiB", "Longest histogram log in one POST.");

  static final Setting<List<Double>> QUANTILES =
      SettingTypes.numbers(
          "expose.quantiles",
          "0.5,0.9,0.99,0.999,0.9999,1",
          "list of numbers from 0 to 1, ascending; 1 is the exact maximum; empty for none",
          0,
          1,
          "Quantiles of the window gauges.");
  static final Setting<List<Double>> SECONDS_EDGES =
      edges(
          "expose.seconds-edges",
          "0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10",
          "Edges (le) of the classic buckets of durations, in seconds.");
  static final Setting<List<Double>> BYTES_EDGES =
      edges(
          "expose.bytes-edges",
          "256,1024,4096,16384,65536,262144,1048576,4194304,16777216",
          "Edges (le) of the classic buckets of sizes, in bytes.");
  static final Setting<List<Double>> PLAIN_EDGES =
      edges(
          "expose.plain-edges",
          "1,2,5,10,20,50,100,200,500,1000",
          "Edges (le) of the classic buckets of plain numbers.");
  static final Setting<Integer> NATIVE_SCHEMA =
      SettingTypes.integer(
          "expose.native-schema",
          "3",
          -4,
          8,
          "Finest schema of native histograms: 2^schema buckets to a power of two.");
  static final Setting<Integer> NATIVE_MAX_BUCKETS =
      SettingTypes.integer(
          "expose.native-max-buckets",
          "160",
          16,
          100_000,
          "Most buckets of a native histogram before it falls to a coarser schema.");

  static final Setting<Optional<Path>> JOURNAL_DIRECTORY =
      SettingTypes.optionalPath(
          "journal.directory",
          "path; empty for no journal",
          "Where merged intervals are kept, so that a restart loses none.");
  static final Setting<Duration> JOURNAL_FLUSH =
      SettingTypes.duration(
          "journal.flush",
          "100ms",
          "1ms",
          "10s",
          "Longest time an interval waits to be written, and its client for the answer.");
  static final Setting<Boolean> JOURNAL_FSYNC =
      SettingTypes.onOff(
          "journal.fsync", "off", "Wait for the disk, so that a power failure loses nothing.");
  static final Setting<Long> JOURNAL_ROTATE_SIZE =
      SettingTypes.longSize(
          "journal.rotate-size", "64MiB", "64KiB", "64GiB", "Size at which a file is complete.");
  static final Setting<Duration> JOURNAL_ROTATE_TIME =
      SettingTypes.duration(
          "journal.rotate-time", "1h", "1s", "365d", "Age at which a file is complete.");
  static final Setting<Long> JOURNAL_RETAIN_SIZE =
      SettingTypes.longSize(
          "journal.retain-size",
          "1GiB",
          "256KiB",
          "1024GiB",
          "Total size above which the oldest files go; at least 4 times rotate-size.");
  static final Setting<Duration> JOURNAL_RETAIN_TIME =
      SettingTypes.duration(
          "journal.retain-time",
          "49h",
          "1s",
          "3650d",
          "Age above which files go; the default keeps all of yesterday.");
  static final Setting<Degrade> JOURNAL_DEGRADE =
      SettingTypes.oneOf(
          "journal.degrade",
          "memory",
          List.of(Degrade.values()),
          "While writing fails: memory acknowledges all the same, refuse acknowledges nothing.");
  static final Setting<LongUnaryOperator> JOURNAL_MAX_QUEUED =
      new Setting<>(
          "journal.max-queued",
          BoundSettings.AUTO,
          "size, 64KiB to 4GiB; auto for what the heap (-Xmx) has room for, 32MiB at most",
          "Bytes that may wait to be written before clients are no longer read from.",
          BoundSettings::queued);

  private static final List<Setting<?>> OWN =
      List.of(
          INGEST_HOST,
          INGEST_PORT,
          INGEST_UNIX_SOCKET,
          INGEST_MAX_BODY,
          INGEST_MAX_IN_FLIGHT,
          INGEST_MAX_CONNECTIONS,
          INGEST_MAX_SERIES,
          INGEST_HELLO_TIMEOUT,
          INGEST_IDLE_TIMEOUT,
          INGEST_MAX_INSTANCES,
          INGEST_INSTANCE_MEMORY,
          SERIES_MAX,
          SERIES_MAX_LAYOUTS,
          BoundSettings.SERIES_MAX_COUNTERS,
          WINDOWS,
          HTTP_HOST,
          HTTP_PORT,
          HTTP_MAX_BODY,
          QUANTILES,
          SECONDS_EDGES,
          BYTES_EDGES,
          PLAIN_EDGES,
          NATIVE_SCHEMA,
          NATIVE_MAX_BUCKETS,
          JOURNAL_DIRECTORY,
          JOURNAL_FLUSH,
          JOURNAL_FSYNC,
          JOURNAL_ROTATE_SIZE,
          JOURNAL_ROTATE_TIME,
          JOURNAL_RETAIN_SIZE,
          JOURNAL_RETAIN_TIME,
          JOURNAL_DEGRADE,
          JOURNAL_MAX_QUEUED);

  private static final List<Setting<?>> ALL =
      Stream.of(
              OWN,
              BoundSettings.ALL,
              SlaSettings.ALL,
              SpillSettings.ALL,
              QuerySettings.ALL,
              HistorySettings.ALL,
              SelfSettings.ALL,
              ExploreSettings.ALL,
              LiveSettings.ALL,
              AccessSettings.ALL,
              LogSettings.ALL)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private Settings() {}

  private static Setting<List<Double>> edges(String key, String defaultText, String description) {
    return SettingTypes.numbers(
        key,
        defaultText,
        "list of numbers, ascending; empty for none",
        0,
        Double.MAX_VALUE,
        description);
  }

  /** Every setting, in the order in which people read them. */
  public static List<Setting<?>> all() {
    return ALL;
  }
}
