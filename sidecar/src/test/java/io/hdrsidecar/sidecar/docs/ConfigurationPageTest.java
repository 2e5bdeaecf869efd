package io.hdrsidecar.sidecar.docs;

import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The pages list every setting, as {@link Settings} declares it: each setting on one of them. */
class ConfigurationPageTest {
  /** Groups of settings that stand on the page of their topic. */
  private static final Map<String, String> PAGES =
      Map.of(
          "export", "export.md",
          "otlp", "otlp.md",
          "statsd", "statsd.md",
          "upstream", "upstream.md");

  @Test
  void page_settings_areThoseOfTheCode() throws IOException {
    StringBuilder page = new StringBuilder();
    groups()
        .forEach(
            (group, settings) -> {
              page.append("### ").append(group.isEmpty() ? "General" : "`" + group + ".*`");
              String elsewhere = PAGES.get(group);
              if (elsewhere == null) {
                page.append("\n\n").append(table(settings)).append('\n');
              } else {
                page.append("\n\n[" + elsewhere + "](" + elsewhere + ") has these.\n\n");
              }
            });
    new GeneratedPage("configuration.md").assertHas(page.toString());
  }

  @Test
  void pagesOfTopics_settings_areThoseOfTheCode() throws IOException {
    Map<String, List<DeclaredSetting>> groups = groups();
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      List<DeclaredSetting> settings = groups.getOrDefault(page.getKey(), List.of());
      new GeneratedPage(page.getValue(), "settings").assertHas(table(settings));
    }
  }

  private static Map<String, List<DeclaredSetting>> groups() {
    Map<String, List<DeclaredSetting>> groups = new TreeMap<>();
    for (DeclaredSetting setting : Settings.all()) {
      int dot = setting.key().indexOf('.');
      String group = dot < 0 ? "" : setting.key().substring(0, dot);
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(setting);
    }
    return groups;
  }

  private static String table(List<DeclaredSetting> settings) {
    StringBuilder table = new StringBuilder(GeneratedPage.settingsHead());
    for (DeclaredSetting setting : settings) {
      table.append(
          GeneratedPage.setting(
              setting.key(), setting.defaultText(), setting.form(), setting.description()));
    }
    return table.toString();
  }
}
