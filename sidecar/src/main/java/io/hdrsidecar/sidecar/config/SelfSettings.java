package io.hdrsidecar.sidecar.config;

import java.time.Duration;
import java.util.List;

/** What the sidecar measures about itself. */
final class SelfSettings {
  static final Setting<Boolean> HICCUPS =
      SettingTypes.onOff(
          "self.hiccups",
          "on",
          "Whether the sidecar measures its own pauses, as the control beside its clients'.");

  static final Setting<Duration> HICCUPS_RESOLUTION =
      SettingTypes.duration(
          "self.hiccups-resolution",
          "1ms",
          "1ms",
          "1s",
          "Time between two looks for a pause; shorter pauses may pass unseen.");

  static final List<Setting<?>> ALL = List.of(HICCUPS, HICCUPS_RESOLUTION);

  private SelfSettings() {}
}
