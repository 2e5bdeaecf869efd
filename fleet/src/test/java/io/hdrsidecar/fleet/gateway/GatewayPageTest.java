package io.hdrsidecar.fleet.gateway;

import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/fleet.md} lists the settings and metrics of a gateway that a sidecar does not have.
 */
class GatewayPageTest {
  @Test
  void page_settings_areThoseOfTheCode() throws IOException {
    Set<String> ofSidecars =
        Settings.all().stream().map(GatewayPageTest::row).collect(Collectors.toSet());
    StringBuilder table = new StringBuilder(GeneratedPage.settingsHead());
    GatewayConfig.settings().stream()
        .map(GatewayPageTest::row)
        .filter(row -> !ofSidecars.contains(row))
        .forEach(table::append);
    new GeneratedPage("fleet.md", "settings").assertHas(table.toString());
  }

  private static String row(DeclaredSetting setting) {
    return GeneratedPage.setting(
        setting.key(), setting.defaultText(), setting.form(), setting.description());
  }

  @Test
  void page_metrics_areThoseOfTheCode() throws IOException {
    TreeSet<String> rows = new TreeSet<>();
    for (Metric metric : new GatewayCounters().metrics()) {
      if (metric.name().startsWith("gateway.")) {
        String name = "hdr_sidecar_" + metric.name().replace('.', '_');
        String type = metric.isCounter() ? "_total` | counter | " : "` | gauge | ";
        rows.add("| `" + name + type + GeneratedPage.sentence(metric.help()) + " |\n");
      }
    }
    new GeneratedPage("fleet.md", "metrics")
        .assertHas("| family | type | meaning |\n| --- | --- | --- |\n" + String.join("", rows));
  }
}
