package io.hdrsidecar.fleet.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.sla.SlaFile;
import io.hdrsidecar.sidecar.sla.SlaRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules about series that lie on two nodes, as {@code /metrics} of both has them. What is expected
 * is counted from the values.
 */
@Timeout(120)
class JudgedFleetTest {
  private static final long MILLI = 1_000_000;
  private static final Pattern SLA =
      Pattern.compile("(hdr_sla_(?:met|judged|matched_series|(?:good|events)_total))\\{(.*)} (.*)");

  @TempDir Path folder = Path.of("");
  private RoutedNode a;
  private RoutedNode b;

  @BeforeEach
  void start() throws Exception {
    a = RoutedNode.of(0);
    b = RoutedNode.of(1);
    a.knows(b.address());
    b.knows(a.address());
    List<SlaRule> rules =
        SlaFile.read(
            Files.writeString(
                folder.resolve("sla.yaml"),
                "slas: [{name: pay, selector: pay, limits: {50%: 10ms, 100%: 100ms}}]"),
            null);
    a.has(); // A node has rules before it has partitions.
    a.begin(rules);
    b.begin(rules);
    a.has(0);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
  }

  private static long[] millis(long... millis) {
    return Arrays.stream(millis).map(m -> m * MILLI).toArray();
  }

  /** By family and quantile, what a node shows of the rule. */
  private static Map<String, String> shown(RoutedNode node) throws Exception {
    node.judge();
    Map<String, String> shown = new TreeMap<>();
    Matcher lines = SLA.matcher(node.get("/metrics").body());
    while (lines.find()) {
      Matcher quantile = Pattern.compile("quantile=\"([^\"]*)\"").matcher(lines.group(2));
      shown.put(
          lines.group(1).substring("hdr_sla_".length())
              + (quantile.find() ? " " + quantile.group(1) : ""),
          lines.group(3));
    }
    return shown;
  }

  @Test
  void rules_seriesOnTwoNodes_areJudgedOverAllByTheNodeOfTheFirstPartition() throws Exception {
    // Half of what a has is over 10 ms, and a tenth of what all have.
    a.count("pay", "/a", 3, millis(1, 20));
    b.count("pay", "/b", 3, millis(1, 1, 1, 1, 1, 1, 1, 200));
    assertThat(shown(a))
        .containsEntry("matched_series", "2.0")
        .containsEntry("judged", "1.0")
        .containsEntry("met 0.5", "1.0")
        .containsEntry("met 1", "0.0");
    assertThat(shown(b)).isEmpty();
    assertThat(b.get("/metrics").body()).doesNotContain("hdr_sla", "_sla_evaluation");
    assertThat(b.get("/api/v1/sla").body()).contains("\"name\":\"pay\"", "\"events\":10");
  }

  @Test
  void counters_whilePartitionsMove_countEachEventOnce() throws Exception {
    a.count("pay", "/a", 3, millis(1, 20));
    b.count("pay", "/b", 3, millis(1, 200));
    assertThat(shown(a))
        .containsEntry("events_total 1", "0.0")
        .containsEntry("good_total 1", "0.0");
    a.count("pay", "/a", 3, millis(1, 200));
    b.count("pay", "/b", 3, millis(1, 1, 1));
    assertThat(shown(a))
        .containsEntry("events_total 1", "5.0")
        .containsEntry("good_total 1", "4.0");

    b.has(0, 1);
    a.has();
    a.drops("pay", "/a");
    b.count("pay", "/a", 3, millis(1, 20, 1, 200));
    assertThat(shown(a)).isEmpty();
    assertThat(shown(b))
        .containsEntry("matched_series", "2.0")
        .containsEntry("events_total 1", "0.0");
    b.count("pay", "/a", 3, millis(1, 200));
    assertThat(shown(b))
        .containsEntry("events_total 1", "2.0")
        .containsEntry("good_total 1", "1.0");

    a.has(0);
    b.has(1);
    b.drops("pay", "/a");
    a.count("pay", "/a", 3, millis(1, 20, 1, 200, 1, 200));
    assertThat(shown(a)).containsEntry("events_total 1", "0.0");
    assertThat(shown(b)).isEmpty();
  }

  @Test
  void counters_seriesOfAnotherNodeEnds_keepWhatItCounted() throws Exception {
    a.count("pay", "/a", 3, millis(1));
    b.count("pay", "/b", 3, millis(1));
    shown(a);
    b.count("pay", "/b", 3, millis(200, 1));
    assertThat(shown(a))
        .containsEntry("events_total 1", "2.0")
        .containsEntry("good_total 1", "1.0");
    b.drops("pay", "/b");
    assertThat(shown(a))
        .containsEntry("matched_series", "1.0")
        .containsEntry("events_total 1", "2.0")
        .containsEntry("good_total 1", "1.0");
    a.count("pay", "/a", 3, millis(1));
    assertThat(shown(a))
        .containsEntry("events_total 1", "3.0")
        .containsEntry("good_total 1", "2.0");
  }

  @Test
  void rules_aPartitionIsMissingWhenANodeTakesOver_areShownAsNotJudged() throws Exception {
    a.count("pay", "/a", 3, millis(1));
    shown(a);
    a.has();
    b.has(0); // And nobody has 1.
    assertThat(shown(a)).isEmpty();
    assertThat(shown(b)).containsEntry("judged", "0.0");
    assertThat(b.get("/metrics").body()).contains("hdr_sidecar_sla_evaluation_failures_total 1.0");
    assertThat(b.get("/api/v1/sla").body()).doesNotContain("judged by the node");

    b.has(0, 1);
    b.count("pay", "/a", 3, millis(1));
    assertThat(shown(b)).containsEntry("judged", "1.0").containsEntry("met 1", "1.0");
  }

  @Test
  void rules_aPartitionIsMissing_keepTheirLastVerdict() throws Exception {
    a.count("pay", "/a", 3, millis(1));
    b.count("pay", "/b", 3, millis(1));
    Map<String, String> before = shown(a);
    assertThat(before).containsEntry("met 1", "1.0");
    b.has();
    assertThat(shown(a)).isEqualTo(before);
    assertThat(a.get("/metrics").body()).contains("hdr_sidecar_sla_evaluation_failures_total 1.0");
    b.has(1);
    b.count("pay", "/b", 3, millis(200));
    assertThat(shown(a)).containsEntry("met 1", "0.0").containsEntry("events_total 1", "1.0");
  }
}
