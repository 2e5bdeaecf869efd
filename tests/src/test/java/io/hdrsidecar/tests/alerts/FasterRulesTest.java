package io.hdrsidecar.tests.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FasterRulesTest {
  @Test
  void of_rangesAndWaits_areDividedAndNothingElseIs() {
    String rules =
        """
        groups:
          - name: a
            rules:
              - record: burn:rate5m
                expr: sum(rate(good_total[5m])) / sum(rate(all_total[3d])) > 14 * 86400
              - alert: A
                expr: burn:rate5m > 14.4
                for: 2m
                labels: {long: 1h, short: 5m}
                annotations: {summary: Not for 2m, but 5 minutes}
        """;

    assertThat(FasterRules.of(rules, 60))
        .isEqualTo(
            rules
                .replace("[5m]", "[5000ms]")
                .replace("[3d]", "[4320000ms]")
                .replace("for: 2m\n", "for: 2000ms\n"));
  }

  @Test
  void of_theShippedRules_hasEveryGroupAndNoDurationOfBefore() throws Exception {
    String rules = FasterRules.of(AlertStoryIT.RULES, 60);

    assertThat(rules.lines().filter(line -> line.startsWith("  - name: ")).toList())
        .isEqualTo(
            List.of(
                "  - name: hdr-sidecar-sla",
                "  - name: hdr-sidecar-health-alerts",
                "  - name: hdr-sidecar-inject-alerts"));
    assertThat(rules).doesNotContainPattern("\\[\\d+[smhd]]").doesNotContainPattern("for: \\d+m\n");
  }
}
