package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.merge.MergeConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import java.util.List;

/**
 * All that is configurable, by stage.
 *
 * @param receive where clients connect, and what they may cost
 * @param merge limits and windows of the series
 * @param warnings what looks like a mistake and is none for sure, one line each
 */
public record SidecarConfig(ReceiveConfig receive, MergeConfig merge, List<String> warnings) {
  /** Takes a copy of the list. */
  public SidecarConfig {
    warnings = List.copyOf(warnings);
  }
}
