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

/** {@code docs/configuration.md} lists every setting, as {@link Settings} declares it. */
class ConfigurationPageTest {
  @Test
  void page_settings_areThoseOfTheCode() throws IOException {
    Map<String, List<DeclaredSetting>> groups = new TreeMap<>();
    for (DeclaredSetting setting : Settings.all()) {
      int dot = setting.key().indexOf('.');
      String group = dot < 0 ? "" : setting.key().substring(0, dot);
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(setting);
    }
    StringBuilder page = new StringBuilder();
    groups.forEach((group, settings) -> write(page, group, settings));
    new GeneratedPage("configuration.md").assertHas(page.toString());
  }

  private static void write(StringBuilder page, String group, List<DeclaredSetting> settings) {
    page.append("### ").append(group.isEmpty() ? "General" : "`" + group + ".*`").append("\n\n");
    page.append("| key | default | form and range | what it does |\n| --- | --- | --- | --- |\n");
    for (DeclaredSetting setting : settings) {
      String unset = setting.defaultText();
      page.append("| `").append(setting.key()).append("` | ");
      page.append(unset.isEmpty() ? "none" : "`" + GeneratedPage.cell(unset) + "`").append(" | ");
      page.append(GeneratedPage.cell(setting.form())).append(" | ");
      page.append(GeneratedPage.cell(setting.description())).append(" |\n");
    }
    page.append('\n');
  }
}
