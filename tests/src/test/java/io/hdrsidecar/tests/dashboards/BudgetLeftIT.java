package io.hdrsidecar.tests.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of the budget of 30 days, asked of a real Prometheus that is younger than that. */
@RequiresDocker
final class BudgetLeftIT {
  private static final Dashboard SLA = Dashboard.of("hdr-sidecar-sla");

  /** A quarter of the calls may be over the limit, half of them are: twice as many as may be. */
  private static final String TEST =
      """
      tests:
        - interval: 6h
          input_series:
            - {series: 'hdr_sla_objective{job="shop", pod="a", sla="s", quantile="0.75"}', values: 0.75x40}
            - {series: 'hdr_sla_events_total{job="shop", pod="a", sla="s", quantile="0.75"}', values: 0+100x40}
            - {series: 'hdr_sla_good_total{job="shop", pod="a", sla="s", quantile="0.75"}', values: 0+50x40}
          promql_expr_test:
            - {expr: '%s', eval_time: %s, exp_samples: [{labels: '{}', value: %s}]}
      """;

  /** Used up is twice the part of the 30 days that has passed. */
  @ParameterizedTest
  @CsvSource({"90h, 0.75", "180h, 0.5"})
  void budgetLeft_whereThePrometheusIsYoung_isThatOf30Days(String age, String left)
      throws Exception {
    DashboardSelection all = DashboardSelection.of(SLA, Duration.ofHours(1), Duration.ofMinutes(1));
    for (String name : all.names()) {
      all = all.with(name, name.equals("pod_label") ? "pod" : DashboardSelection.ALL);
    }
    String expression =
        all.replaceIn(SLA.panel("Budget left of 30 d").queries().get(0).expression());

    try (PrometheusServer prometheus = PrometheusServer.scrapingJobs("", "groups: []")) {
      prometheus.copyIn(TEST.formatted(expression, age, left), "/tmp/budget.yaml");

      assertThat(prometheus.run("promtool test rules /tmp/budget.yaml 2>&1")).contains("SUCCESS");
    }
  }
}
