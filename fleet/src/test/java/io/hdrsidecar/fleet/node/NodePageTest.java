package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.route.RouteConfig;
import io.hdrsidecar.fleet.route.RouteCounters;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** {@code docs/fleet-node.md} lists every setting and metric that only a node has. */
class NodePageTest {
  @Test
  void page_settingsAndMetrics_areThoseOfTheCode() throws IOException {
    StringBuilder page = new StringBuilder("## Settings\n\n");
    page.append(GeneratedPage.settingsHead());
    List<DeclaredSetting> settings = new ArrayList<>(SettingRecords.settings(NodeConfig.class));
    settings.addAll(SettingRecords.settings(RouteConfig.class));
    settings.removeIf(setting -> setting.key().startsWith("kafka.")); // fleet.md has them
    for (DeclaredSetting setting : settings) {
      page.append(
          GeneratedPage.setting(
              setting.key(), setting.defaultText(), setting.form(), setting.description()));
    }
    page.append(
        "\n## Metrics\n\n| family | type | labels | meaning |\n| --- | --- | --- | --- |\n");
    TreeSet<String> rows = new TreeSet<>();
    metrics().forEach(metric -> rows.add(row(metric)));
    rows.forEach(page::append);
    new GeneratedPage("fleet-node.md").assertHas(page.toString());
  }

  private static List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(new NodeCounters().metrics());
    all.addAll(new RouteCounters().metrics());
    FleetView view = new FleetView(new SeriesStore(MergeConfig.defaults()), Runnable::run);
    all.addAll(NodeMetrics.of(Map::of, 1, new Restoring(), new Standbys(), view));
    return all;
  }

  private static String row(Metric metric) {
    return "| `hdr_sidecar_"
        + metric.name().replace('.', '_')
        + (metric.isCounter() ? "_total` | counter | " : "` | gauge | ")
        + (metric.labels().isEmpty() ? "" : metric.labels().get(0))
        + " | "
        + GeneratedPage.sentence(metric.help())
        + " |\n";
  }
}
