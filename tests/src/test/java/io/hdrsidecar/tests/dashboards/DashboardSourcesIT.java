package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dashboards' files against their sources and against Grafana's schema. */
final class DashboardSourcesIT {
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
}
