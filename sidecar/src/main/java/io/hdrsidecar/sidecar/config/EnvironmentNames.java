package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Which variables {@code HDR_SIDECAR_*} are no mistake: settings, the client library's own, which
 * often stand in the same environment, and those Kubernetes makes for each service of a name that
 * starts with {@code hdr-sidecar}.
 */
final class EnvironmentNames {
  /** What a client shows, and what a reader takes for what this sidecar asks for. */
  private static final List<String> CLIENT_TOKENS = List.of("TOKEN", "TOKEN_FILE");

  private static final Set<String> CLIENT_VARIABLES =
      Set.of(
          "ENABLED",
          "ADDRESS",
          "INTERVAL",
          "LABELS",
          CLIENT_TOKENS.get(0),
          CLIENT_TOKENS.get(1),
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

  /** The variable of a setting that is most like this name; empty when none is at all. */
  static Optional<String> nearest(List<DeclaredSetting> settings, String name) {
    // Picocli compares texts only to suggest commands.
    CommandSpec names = CommandSpec.create();
    for (DeclaredSetting setting : settings) {
      names.addSubcommand(withoutPrefix(setting.environmentVariable()), CommandSpec.create());
    }
    return new UnmatchedArgumentException(new CommandLine(names), List.of(withoutPrefix(name)))
        .getSuggestions().stream()
            .findFirst()
            .map(rest -> DeclaredSetting.ENVIRONMENT_PREFIX + rest);
  }

  private static String withoutPrefix(String name) {
    return name.substring(DeclaredSetting.ENVIRONMENT_PREFIX.length());
  }

  /** Names that start like settings and are none, sorted. */
  static List<String> unknown(List<DeclaredSetting> settings, Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(variable -> variable.getKey().startsWith(DeclaredSetting.ENVIRONMENT_PREFIX))
        .filter(variable -> !isKnown(settings, variable.getKey(), variable.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * A line when there is a token for clients, and no listener asks for any proof.
   *
   * @param ingest null where no client sends
   */
  static Optional<String> unusedTokens(
      Map<String, String> environment, @Nullable AccessConfig ingest, AccessConfig http) {
    List<String> found =
        CLIENT_TOKENS.stream()
            .map(name -> DeclaredSetting.ENVIRONMENT_PREFIX + name)
            .filter(name -> !environment.getOrDefault(name, "").isBlank())
            .toList();
    boolean isAnyAsked = http.isAuthenticated() || (ingest != null && ingest.isAuthenticated());
    return found.isEmpty() || isAnyAsked
        ? Optional.empty()
        : Optional.of(
            String.join(", ", found)
                + ": says what a client shows, and this process asks nobody for a token; set "
                + (ingest == null ? "" : "ingest.token-file for those who send, and ")
                + "http.token-file for those who ask");
  }

  private static boolean isKnown(List<DeclaredSetting> settings, String name, String value) {
    return name.equals(ConfigLoader.FILE_VARIABLE)
        || CLIENT_VARIABLES.contains(withoutPrefix(name))
        || settings.stream().anyMatch(s -> s.environmentVariable().equals(name))
        || KUBERNETES.matcher(name).matches()
        || (KUBERNETES_PORT.matcher(name).matches() && KUBERNETES_ADDRESS.matcher(value).matches());
  }
}
