package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.receive.CrashFolderConfig;
import io.hdrsidecar.sidecar.receive.SpillFolderConfig;
import io.hdrsidecar.sidecar.receive.UnixSocketConfig;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.hdrsidecar.sidecar.upstream.UpstreamConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * What is set and has no effect, because the setting that its part begins with was forgotten. That
 * setting given as empty is on purpose: an image has defaults of a part that a pod switches off.
 */
final class UnusedSettings {
  /** Parts that there are when their first setting has a value. */
  private static final List<Class<?>> PARTS =
      List.of(
          UnixSocketConfig.class,
          JournalConfig.class,
          SpillFolderConfig.class,
          CrashFolderConfig.class,
          UpstreamConfig.class);

  private static final List<String> STATSD_FILES =
      List.of(StatsdConfig.UNIX_DATAGRAM, StatsdConfig.UNIX_STREAM);

  private final SettingValues values;
  private final List<String> warnings = new ArrayList<>();

  private UnusedSettings(SettingValues values) {
    this.values = values;
  }

  /** One line for each part that is missing. */
  static List<String> warnings(SettingValues values) {
    UnusedSettings unused = new UnusedSettings(values);
    for (Class<?> part : PARTS) {
      List<DeclaredSetting> settings = SettingRecords.settings(part);
      unused.look(List.of(settings.get(0).key()), settings);
    }
    unused.look(List.of(OtlpConfig.ADDRESS), SettingRecords.settings(OtlpConfig.class));
    unused.lookAtExport();
    unused.lookAtStatsd();
    return unused.warnings;
  }

  private void lookAtExport() {
    List<DeclaredSetting> ofAll = new ArrayList<>();
    List<DeclaredSetting> ofOtlp = new ArrayList<>();
    for (DeclaredSetting setting : SettingRecords.settings(ExportConfig.class)) {
      (setting.key().startsWith(ExportConfig.OTLP) ? ofOtlp : ofAll).add(setting);
    }
    look(List.of(ExportConfig.OTLP_ADDRESS, ExportConfig.REMOTE_WRITE_ADDRESS), ofAll);
    look(List.of(ExportConfig.OTLP_ADDRESS), ofOtlp);
  }

  private void lookAtStatsd() {
    List<DeclaredSetting> ofAll = new ArrayList<>();
    List<DeclaredSetting> ofFiles = new ArrayList<>();
    List<DeclaredSetting> ofUdp = new ArrayList<>();
    for (DeclaredSetting setting : SettingRecords.settings(StatsdConfig.class)) {
      switch (setting.key()) {
        case StatsdConfig.UNIX_MODE, StatsdConfig.UNIX_GROUP -> ofFiles.add(setting);
        case StatsdConfig.RECEIVE_BUFFER -> ofUdp.add(setting);
        default -> ofAll.add(setting);
      }
    }
    List<String> sockets = new ArrayList<>(List.of(StatsdConfig.UDP_ADDRESS));
    sockets.addAll(STATSD_FILES);
    look(sockets, ofAll);
    look(STATSD_FILES, ofFiles);
    look(List.of(StatsdConfig.UDP_ADDRESS), ofUdp);
  }

  /**
   * With none of these heads given, those of the settings that are not as by default do nothing.
   */
  private void look(List<String> heads, List<DeclaredSetting> settings) {
    List<String> set =
        settings.stream()
            .filter(setting -> !values.textOf(setting).equals(setting.defaultText()))
            .map(DeclaredSetting::key)
            .toList();
    if (!set.isEmpty() && heads.stream().noneMatch(values::isGiven)) {
      String head = String.join(" or ", heads);
      warnings.add(
          String.join(", ", set)
              + ": no effect without "
              + head
              + "; set "
              + head
              + ", or leave this out");
    }
  }
}
