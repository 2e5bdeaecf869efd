package io.hdrsidecar.tests.fuzz;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * Settings of a sidecar whose memory is full soon, so that it can be seen to stay there: few
 * series, a window that has turned before the warm-up ends, a small history, few clients to
 * remember.
 */
final class SmallSidecar {
  private SmallSidecar() {}

  /** On free ports; each further setting as a flag and its value, in turn. */
  static SidecarConfig config(String... more) {
    Map<String, String> flags = new HashMap<>();
    flags.put("--ingest-port", "0");
    flags.put("--http-port", "0");
    flags.put("--self-hiccups", "false");
    flags.put("--series-max", "16");
    flags.put("--windows", "5s");
    flags.put("--history-max-memory", "1MiB");
    flags.put("--ingest-max-instances", "64");
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    try {
      return ConfigLoader.load(flags, Map.of(), null);
    } catch (ConfigException e) {
      throw new AssertionError(e.problems().toString(), e);
    }
  }
}
