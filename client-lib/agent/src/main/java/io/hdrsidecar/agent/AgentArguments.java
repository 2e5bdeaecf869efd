package io.hdrsidecar.agent;

import io.hdrsidecar.client.ClientConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the agent's {@code name=value,name=value} as settings that go before the environment. */
final class AgentArguments {
  private static final String PREFIX = "HDR_SIDECAR_";

  /** Each is an environment variable of the client, in lower case and without its prefix. */
  private static final List<String> NAMES =
      ClientConfig.variables().stream()
          .map(variable -> variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT))
          .toList();

  private final Map<String, String> given;

  private AgentArguments(Map<String, String> given) {
    this.given = given;
  }

  /**
   * The arguments.
   *
   * @throws IllegalArgumentException when one is unknown, given twice or without a value
   */
  static AgentArguments parse(String arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments.split(",", -1)) {
      if (!argument.isBlank()) {
        add(argument, given);
      }
    }
    return new AgentArguments(given);
  }

  /**
   * The environment with the arguments put over it, and hiccups switched on where neither says
   * otherwise.
   */
  Map<String, String> over(Map<String, String> environment) {
    Map<String, String> settings = new HashMap<>(environment);
    settings.putIfAbsent(variable("hiccups"), "true");
    given.forEach((name, value) -> settings.put(variable(name), value));
    return settings;
  }

  /**
   * The client's message about its environment, with the arguments by the names they were given.
   */
  String asGiven(String message) {
    if (given.isEmpty()) {
      return message;
    }
    String text = message.replaceFirst("^environment of hdr-sidecar's client: ", "");
    for (String name : given.keySet()) {
      text = text.replaceAll("\\b" + variable(name) + "\\b", "argument " + name);
    }
    return text;
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
    if (name.equals("labels")) {
      given.merge(name, value, (before, more) -> before + "," + more);
    } else if (given.put(name, value) != null) {
      throw new IllegalArgumentException("argument given twice: " + name);
    }
  }

  private static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT);
  }
}
