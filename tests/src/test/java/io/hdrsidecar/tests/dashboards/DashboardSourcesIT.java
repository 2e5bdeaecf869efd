package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboards' files against their sources and against Grafana's schema. */
final class DashboardSourcesIT {
  /** Series of the fleet have the namespace of the pods that they are about. */
  private static final Pattern CHOSEN =
      Pattern.compile(
          Pattern.quote("cluster=~\"$cluster\", namespace=~\"$")
              + "(of_)?"
              + Pattern.quote("namespace\", job=~\"$job\", $pod_label=~\"$pod\""));

  private static final Path SOURCES = Dashboard.FOLDER.resolve("source").toAbsolutePath();

  @Test
  void files_comparedWithSourcesAndSchema_agree() throws Exception {
    String python =
        Tool.python(
            "dashboards-python", List.of("-r", SOURCES.resolve("requirements.txt").toString()));

    String said =
        Tool.run(List.of(python, SOURCES.resolve("build.py").toString(), "--check"), Path.of("."));

    System.out.println(said.strip());
    assertThat(said.lines()).hasSize(Dashboard.all().size());
  }

  /** The exception for the instance is that pods are chosen by another label. */
  @Test
  void everySelector_ofSidecarsAndSeries_choosesClusterNamespaceJobAndPod() {
    for (Dashboard dashboard : Dashboard.ofPrometheus()) {
      for (Dashboard.Panel panel : dashboard.panels()) {
        for (Dashboard.Query query : panel.queries()) {
          String expression = query.expression();
          assertThat(expression.split("job=~\"\\$job\"", -1))
              .as(expression)
              .hasSameSizeAs(CHOSEN.split(expression, -1))
              .hasSizeGreaterThan(1);
        }
      }
    }
  }
}
