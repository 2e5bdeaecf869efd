package io.hdrsidecar.sidecar.config;

import java.util.List;

/** A configuration that cannot be used, with every problem it has. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  /** With every problem, one line each. */
  public ConfigException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each: the key, what was expected, what came, and from where. */
  public List<String> problems() {
    return problems;
  }
}
