package io.hdrsidecar.sidecar.api;

import java.util.List;

/** Reads the configuration again, when asked to. Any thread that may block. */
public interface Reload {
  /**
   * How it went.
   *
   * @param changed keys of the settings now in force with another value
   * @param needsRestart keys of the settings whose new value waits for a restart
   * @param problems what is wrong, one line each; if there is any, nothing was changed
   */
  record Outcome(List<String> changed, List<String> needsRestart, List<String> problems) {
    /** Takes copies. */
    public Outcome {
      changed = List.copyOf(changed);
      needsRestart = List.copyOf(needsRestart);
      problems = List.copyOf(problems);
    }
  }

  /** For a server whose configuration stays what it is. */
  Reload NEVER =
      new Reload() {
        @Override
        public boolean isEnabled() {
          return false;
        }

        @Override
        public Outcome reload() {
          return new Outcome(List.of(), List.of(), List.of("reloading is off"));
        }
      };

  /** Whether anybody that reaches the port may ask. */
  boolean isEnabled();

  /** Reads and, if nothing is wrong, applies. */
  Outcome reload();
}
