package io.hdrsidecar.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the agent's {@code name=value,name=value} as settings that go before the environment. */
final class AgentArguments {
  private static final String LABELS = "labels";

  /** Each is an environment variable of the client, in lower case and without its prefix. */
  private static final List<String> NAMES =
      List.of(
          "address",
          "interval",
          LABELS,
          "hiccups",
          "hiccups_resolution",
          "hiccups_delay",
          "enabled",
          "token",
          "token_file",
          "tls_ca",
          "tls_certificate",
          "tls_key");

  private AgentArguments() {}

  /**
   * The environment with the arguments put over it, and hiccups switched on where neither says
   * otherwise.
   *
   * @throws IllegalArgumentException when an argument is unknown or has no value
   */
  static Map<String, String> over(Map<String, String> environment, String arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments.split(",", -1)) {
      if (!argument.isBlank()) {
        add(argument, given);
      }
    }
    Map<String, String> settings = new HashMap<>(environment);
    settings.putIfAbsent(variable("hiccups"), "true");
    given.forEach((name, value) -> settings.put(variable(name), value));
    return settings;
  }

  private static void add(String argument, Map<String, String> given) {
    int equals = argument.indexOf('=');
    String name = equals < 0 ? argument.trim() : argument.substring(0, equals).trim();
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "argument must be one of " + String.join(", ", NAMES) + ": " + name);
    }
    if (equals < 0) {
      throw new IllegalArgumentException("argument must be name=value: " + name);
    }
    String value = argument.substring(equals + 1).trim();
    if (name.equals(LABELS)) {
      given.merge(name, value, (before, more) -> before + "," + more);
    } else if (given.put(name, value) != null) {
      throw new IllegalArgumentException("argument given twice: " + name);
    }
  }

  private static String variable(String name) {
    return "HDR_SIDECAR_" + name.toUpperCase(Locale.ROOT);
  }
}
