package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which variables {@code HDR_SIDECAR_*} are no mistake: settings, the client library's own, which
 * often stand in the same environment, and those Kubernetes makes for each service of a name that
 * starts with {@code hdr-sidecar}.
 */
final class EnvironmentNames {
  /** Names the file of the settings. */
  static final String FILE_VARIABLE = DeclaredSetting.ENVIRONMENT_PREFIX + "CONFIG";

  private static final Set<String> CLIENT_VARIABLES =
      Set.of(
          "ENABLED",
          "ADDRESS",
          "INTERVAL",
          "LABELS",
          "TOKEN",
          "TOKEN_FILE",
          "TLS_CA",
          "HICCUPS",
          "HICCUPS_RESOLUTION",
          "HICCUPS_DELAY",
          "SPILL_PICKUP");

  /** Such as HDR_SIDECAR_SERVICE_HOST and HDR_SIDECAR_PORT_9925_TCP_ADDR. */
  private static final Pattern KUBERNETES =
      Pattern.compile(
          "HDR_SIDECAR_(.*_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?"
              + "|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  /** HDR_SIDECAR_PORT and the like could be a mistake for a setting; their values tell. */
  private static final Pattern KUBERNETES_PORT = Pattern.compile("HDR_SIDECAR_(.*_)?PORT");

  private static final Pattern KUBERNETES_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.+");

  private EnvironmentNames() {}

  /** Names that start like settings and are none, sorted. */
  static List<String> unknown(List<DeclaredSetting> settings, Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(variable -> variable.getKey().startsWith(DeclaredSetting.ENVIRONMENT_PREFIX))
        .filter(variable -> !isKnown(settings, variable.getKey(), variable.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private static boolean isKnown(List<DeclaredSetting> settings, String name, String value) {
    return name.equals(FILE_VARIABLE)
        || CLIENT_VARIABLES.contains(name.substring(DeclaredSetting.ENVIRONMENT_PREFIX.length()))
        || settings.stream().anyMatch(s -> s.environmentVariable().equals(name))
        || KUBERNETES.matcher(name).matches()
        || (KUBERNETES_PORT.matcher(name).matches() && KUBERNETES_ADDRESS.matcher(value).matches());
  }
}
