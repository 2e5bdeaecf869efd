package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.util.List;
import java.util.stream.Stream;

/**
 * All settings: those that the records declare which the stages get. Flags, environment variables,
 * file keys and {@code serve --help} are made from this list, so that none can be forgotten in one
 * of them.
 */
public final class Settings {
  private static final List<DeclaredSetting> ALL =
      Stream.of(SidecarConfig.class, ListenerConfig.class, SlaConfig.class)
          .flatMap(type -> SettingRecords.settings(type).stream())
          .toList();

  private Settings() {}

  /** Every setting, in the order in which people read them. */
  public static List<DeclaredSetting> all() {
    return ALL;
  }
}
