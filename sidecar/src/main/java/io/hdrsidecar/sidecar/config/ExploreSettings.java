package io.hdrsidecar.sidecar.config;

import java.util.List;

/** The setting about the web explorer. */
final class ExploreSettings {
  static final Setting<Boolean> ENABLED =
      SettingTypes.onOff("explore.enabled", "on", "Serve the web explorer at /.");

  static final List<Setting<?>> ALL = List.of(ENABLED);

  private ExploreSettings() {}
}
