package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.logs.LogConfig;
import java.util.List;
import java.util.Map;

/** What the configuration of each program that serves has. Immutable. */
public interface ServingConfig {
  /** How the process logs. */
  LogConfig log();

  /** Every setting as it is in force, by key. */
  Map<String, String> texts();

  /** What looks like a mistake and is none for sure, one line each. */
  List<String> warnings();
}
