package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ListenerConfig;
import io.hdrsidecar.sidecar.config.ListenerRules;
import io.hdrsidecar.sidecar.config.ServingConfig;
import io.hdrsidecar.sidecar.config.SettingReader;
import io.hdrsidecar.sidecar.config.SettingValues;
import io.hdrsidecar.sidecar.http.HttpLimits;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is configurable at a gateway.
 *
 * @param receive where sidecars connect, and what they may cost
 * @param limits what series may be
 * @param kafka where the brokers are
 * @param life how the process ends, and where it is scraped
 * @param httpAccess what scrapes must show
 * @param log how the process logs
 * @param texts every setting as it is in force, by key
 * @param warnings what looks like a mistake and is none for sure, one line each
 */
record GatewayConfig(
    ReceiveConfig receive,
    GatewayLimits limits,
    KafkaConfig kafka,
    GatewayLife life,
    AccessConfig httpAccess,
    LogConfig log,
    Map<String, String> texts,
    List<String> warnings)
    implements ServingConfig {
  private static final String MAX_BODY = "ingest.max-body";

  /** With what Kafka adds, this fits the topics of brokers that nobody has configured. */
  private static final String MAX_BODY_DEFAULT = "256KiB";

  /** Sidecars send frames of so many bytes before they are told what is taken. */
  private static final int LEAST_BODY = 64 << 10;

  private static final int NO_UPLOADS = 1024;

  private static final List<DeclaredSetting> SETTINGS =
      Stream.of(
              ReceiveConfig.class,
              ListenerConfig.class,
              GatewayLimits.class,
              KafkaConfig.class,
              GatewayLife.class,
              LogConfig.class)
          .flatMap(type -> SettingRecords.settings(type).stream())
          .map(s -> s.key().equals(MAX_BODY) ? s.withDefault(MAX_BODY_DEFAULT) : s)
          .toList();

  /** Every setting, in the order in which people read them. */
  static List<DeclaredSetting> settings() {
    return SETTINGS;
  }

  /**
   * Reads it.
   *
   * @param flags from flag, such as {@code --ingest-port}, to text
   * @param file the YAML file; null takes the one named by the environment, if any
   * @throws ConfigException with every problem found
   */
  static GatewayConfig load(
      Map<String, String> flags,
      Map<String, String> environment,
      @Nullable Path file,
      GatewayMemory memory)
      throws ConfigException {
    List<String> problems = new ArrayList<>();
    SettingValues values =
        SettingReader.read(SETTINGS, flags, environment, file, memory.heap(), problems);
    throwIfAny(problems);
    ListenerRules rules = new ListenerRules(values.get(ListenerConfig.class), problems);
    ReceiveConfig receive = values.get(ReceiveConfig.class, rules.ingest());
    AccessConfig httpAccess = rules.http();
    GatewayLife life = values.get(GatewayLife.class);
    requireRoom(receive.limits().maxBodyBytes(), memory, problems);
    List<String> warnings =
        new ArrayList<>(ListenerRules.exposures(receive, http(life, httpAccess)));
    if (life.strict()) {
      warnings.forEach(line -> problems.add(line + " (refused by strict)"));
    }
    throwIfAny(problems);
    ListenerRules.unusedTokens(environment, receive.access(), httpAccess).ifPresent(warnings::add);
    return new GatewayConfig(
        receive,
        values.get(GatewayLimits.class),
        values.get(KafkaConfig.class),
        life,
        httpAccess,
        values.get(LogConfig.class),
        Map.copyOf(values.texts()),
        List.copyOf(warnings));
  }

  /** The limit must not follow from the heap: at two gateways it has to be the same. */
  private static void requireRoom(int maxBody, GatewayMemory memory, List<String> problems) {
    long fits = memory.longestBody();
    if (maxBody > fits) {
      problems.add(
          MAX_BODY
              + ": at most "
              + fits / 1024
              + "KiB fits the heap of "
              + (memory.heap().heapBytes() >> 20)
              + " MiB: raise -Xmx, or lower it at all gateways");
    }
    if (maxBody < LEAST_BODY) {
      problems.add(
          MAX_BODY
              + ": at least "
              + LEAST_BODY / 1024
              + "KiB, which is how long a sidecar's frames may be");
    }
  }

  private static void throwIfAny(List<String> problems) throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** How the gateway serves HTTP. */
  HttpConfig http() {
    return http(life, httpAccess);
  }

  private static HttpConfig http(GatewayLife life, AccessConfig access) {
    return new HttpConfig(
        life.httpHost(), life.httpPort(), NO_UPLOADS, access, false, HttpLimits.defaults());
  }

  /** The longest record of an interval. */
  int longestRecordBytes() {
    return limits.longestRecord(receive.limits().maxBodyBytes(), receive.resources().labels());
  }
}
