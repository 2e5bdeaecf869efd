package io.hdrsidecar.sidecar.sla;

import java.util.List;

/** A file of rules that cannot be used, with every problem it has. */
public final class SlaFileException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> problems;

  SlaFileException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line each: file, line, what was expected, what came. */
  public List<String> problems() {
    return problems;
  }
}
