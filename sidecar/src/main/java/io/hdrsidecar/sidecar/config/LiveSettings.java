package io.hdrsidecar.sidecar.config;

import java.util.List;

/** The settings about live streams over HTTP. */
final class LiveSettings {
  static final Setting<Integer> HTTP_MAX_STREAMS =
      SettingTypes.integer(
          "http.max-streams",
          "64",
          0,
          10_000,
          "Most live streams at a time, which are among http.max-connections.");

  static final List<Setting<?>> ALL = List.of(HTTP_MAX_STREAMS);

  private LiveSettings() {}
}
