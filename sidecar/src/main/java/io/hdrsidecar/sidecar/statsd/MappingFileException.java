package io.hdrsidecar.sidecar.statsd;

import java.util.List;

/** A mapping file cannot be used; has every problem found, with its line. */
public final class MappingFileException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  MappingFileException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each. */
  public List<String> problems() {
    return problems;
  }
}
