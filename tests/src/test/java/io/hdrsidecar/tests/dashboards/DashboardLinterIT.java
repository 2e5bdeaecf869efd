package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grafana's own linter; the exceptions from its rules, with their reasons, are in a file. */
@RequiresPrograms("dashboard-linter")
final class DashboardLinterIT {
  private static final Path EXCEPTIONS = Dashboard.FOLDER.resolve("source").resolve("lint.yaml");

  @Test
  void files_givenToGrafanasLinter_areWithoutComplaint() throws Exception {
    for (Dashboard dashboard : Dashboard.all()) {
      Path file = Dashboard.FOLDER.resolve("grafana").resolve(dashboard.uid() + ".json");

      String said =
          Tool.run(
              List.of(
                  "dashboard-linter",
                  "lint",
                  "--strict",
                  "--verbose",
                  "--config=" + EXCEPTIONS,
                  file.toString()),
              Path.of("."));

      System.out.println("dashboard-linter, " + dashboard.uid() + ": no complaint");
      assertThat(said).contains("Checks that every PromQL query has a job matcher");
    }
  }
}
