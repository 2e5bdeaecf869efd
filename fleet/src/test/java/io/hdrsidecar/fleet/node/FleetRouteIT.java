package io.hdrsidecar.fleet.node;

import static io.hdrsidecar.fleet.node.NodeAnswers.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.fleet.kafka.TopicCheck;
import io.hdrsidecar.fleet.support.KafkaBroker;
import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes: a query that reaches any of them is answered of all partitions. One is killed while
 * they are asked: each answer is whole, or is none.
 */
@Timeout(600)
class FleetRouteIT {
  private static final int PARTITIONS = 6;
  private static final Pattern COUNT = Pattern.compile("\"count\":(\\d+)");
  private static final Pattern PARTS = Pattern.compile("hdr_sidecar_fleet_partitions ([0-9.]+)");
  private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");

  private static final String INCREASE =
      "/prometheus/api/v1/query?query=" + url("sum(increase(latency_seconds_count[2h]))");

  private static final String OVERVIEW = "/api/v1/overview?figures=true";
  private static final String TOTAL = "/api/v1/histogram?series=latency";

  @TempDir Path folder = Path.of("");

  @Test
  void queries_atAnyOfThreeNodes_areAnsweredWhole() throws Exception {
    List<String> flags =
        List.of("--kafka-partitions=" + PARTITIONS, "--node-commit-interval=500ms", "--windows=1m");
    long begun = System.currentTimeMillis();
    try (KafkaBroker brokers = KafkaBroker.direct()) {
      KafkaConfig config = new KafkaConfig(brokers.bootstrap(), null, "hdr", PARTITIONS, true, 1);
      new TopicCheck(config).require(config.clientProperties(), AclOperation.READ);
      try (FeedingSidecars sidecars =
              new FeedingSidecars(
                  brokers.bootstrap(), new TopicNames("hdr"), PARTITIONS, 5, 30, 1);
          NodeProcess a = NodeProcess.start(brokers.bootstrap(), folder.resolve("a"), flags);
          NodeProcess b = NodeProcess.start(brokers.bootstrap(), folder.resolve("b"), flags);
          NodeProcess c = NodeProcess.start(brokers.bootstrap(), folder.resolve("c"), flags)) {
        List<URI> all = List.of(a.http(), b.http(), c.http());
        await("each has partitions", () -> all.stream().allMatch(node -> partitions(node) == 2));
        sidecars.send(3000);
        sidecars.sendToEach();
        long values = sidecars.sent().values();
        for (URI node : all) {
          await("all is shown at " + node, () -> count(node) == values);
        }
        assertAlike(questions(begun, System.currentTimeMillis()), all);
        // As docs/explorer.md says of spark lines.
        assertThat(NodeAnswers.text(a.http(), OVERVIEW + "&start=-1h")).contains("stepSeconds");
        assertThat(NodeAnswers.text(a.http(), OVERVIEW)).doesNotContain("stepSeconds");
        for (FleetSeries series : sidecars.series()) {
          for (URI node : all) {
            assertThat(NodeAnswers.buckets(node, series))
                .isEqualTo(sidecars.sent().buckets(series));
            assertThat(NodeAnswers.buckets(node, series, "&start=-1h"))
                .isEqualTo(sidecars.sent().buckets(series));
          }
        }
        for (URI node : all) {
          assertThat(joined(node)).isEqualTo(joined(sidecars));
          assertThat(NodeAnswers.text(node, INCREASE + later())).contains("\"" + values + "\"");
        }
        assertWholeOrNone(c, List.of(a.http(), b.http()), values);
        assertThat(joined(a.http())).isEqualTo(joined(sidecars));
        assertAlike(questions(begun, System.currentTimeMillis()), List.of(a.http(), b.http()));
      }
    }
  }

  /** Of a fixed time, so that the same is asked of each. */
  private static List<String> questions(long begun, long now) {
    String range = "&start=" + (begun / 1000 - 60) + "&end=" + (now / 1000 + 60);
    String promRange = "&start=" + begun / 1000 + "&end=" + now / 1000 + "&step=5";
    String at = later();
    return List.of(
        "/api/v1/series",
        OVERVIEW + range,
        "/api/v1/histogram?series=latency&buckets=true",
        "/api/v1/histogram?series=latency&format=v2" + range,
        "/api/v1/histogram?format=hgrm&series=" + url("latency{route=~\"/r.\"}"),
        "/api/v1/percentiles?series=latency&step=10s" + range,
        "/api/v1/heatmap?series=latency&step=10s" + range,
        "/api/v1/compare?a=latency&b=" + url("latency{route=\"/r7\"}"),
        "/api/v1/sla?selector=latency&limit=" + url("99%:1s") + range,
        "/prometheus/api/v1/labels?x=1",
        "/prometheus/api/v1/label/route/values?x=1",
        "/prometheus/api/v1/metadata?x=1",
        "/prometheus/api/v1/series?match%5B%5D=latency_seconds",
        "/prometheus/api/v1/query?query="
            + url("histogram_quantile(0.99, sum by (route) (increase(latency_seconds[1h])))")
            + at,
        "/prometheus/api/v1/query?query=" + url("sum(increase(latency_seconds_count[1h]))") + at,
        "/prometheus/api/v1/query_range?query="
            + url("histogram_quantile(0.5, sum(rate(latency_seconds[1m])))")
            + promRange);
  }

  /** When the step of the last intervals has ended: until then an increase does not have it. */
  private static String later() {
    return "&time=" + (System.currentTimeMillis() / 1000 + 60);
  }

  private static String url(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static void assertAlike(List<String> questions, List<URI> nodes) throws Exception {
    for (String question : questions) {
      List<String> answers = new ArrayList<>();
      for (URI node : nodes) {
        HttpResponse<byte[]> answer = NodeAnswers.get(node, question);
        String body = new String(answer.body(), UTF_8);
        assertThat(answer.statusCode()).as("%s: %s", question, body).isEqualTo(200);
        // Verdicts say when they were found, and that is now.
        answers.add(question.contains("/sla") ? TIME.matcher(body).replaceAll("time") : body);
      }
      assertThat(answers).as(question).containsOnly(answers.get(0));
    }
  }

  /** Kills one of three while the others are asked without end. */
  private static void assertWholeOrNone(NodeProcess killed, List<URI> others, long values)
      throws Exception {
    List<String> wrong = new CopyOnWriteArrayList<>();
    List<Thread> askers = new ArrayList<>();
    boolean[] isOver = new boolean[1];
    Object lock = new Object();
    for (URI node : others) {
      Thread asker =
          new Thread(
              () -> {
                boolean goOn = true;
                while (goOn) {
                  try {
                    HttpResponse<byte[]> answer = NodeAnswers.get(node, TOTAL);
                    String body = new String(answer.body(), UTF_8);
                    if (answer.statusCode() == 200 ? count(body) != values : !isRefusal(answer)) {
                      wrong.add(node + " " + answer.statusCode() + " " + body);
                    }
                  } catch (IOException | InterruptedException e) {
                    wrong.add(node + " " + e);
                  }
                  synchronized (lock) {
                    goOn = !isOver[0];
                  }
                }
              },
              "asks " + node);
      askers.add(asker);
      asker.start();
    }
    long begun = System.nanoTime();
    killed.kill();
    await("refused for a while", () -> NodeAnswers.get(others.get(0), TOTAL).statusCode() == 503);
    for (URI node : others) {
      await("whole again", () -> count(node) == values);
    }
    System.out.printf("route: whole_again_after_s=%.1f%n", (System.nanoTime() - begun) / 1e9);
    synchronized (lock) {
      isOver[0] = true;
    }
    for (Thread asker : askers) {
      asker.join();
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean isRefusal(HttpResponse<byte[]> answer) {
    return answer.statusCode() == 503
        && new String(answer.body(), UTF_8).contains("\"errorType\":\"unavailable\"");
  }

  private static long count(String body) {
    Matcher count = COUNT.matcher(body);
    return count.find() ? Long.parseLong(count.group(1)) : -1;
  }

  private static long count(URI node) throws Exception {
    HttpResponse<byte[]> answer = NodeAnswers.get(node, TOTAL);
    return answer.statusCode() == 200 ? count(new String(answer.body(), UTF_8)) : -1;
  }

  private static Map<Long, Long> joined(URI node) throws Exception {
    return NodeAnswers.bucketsOf(node, "latency", "");
  }

  private static Map<Long, Long> joined(FeedingSidecars sidecars) {
    Map<Long, Long> all = new TreeMap<>();
    for (FleetSeries series : sidecars.sent().all()) {
      sidecars.sent().buckets(series).forEach((value, n) -> all.merge(value, n, Long::sum));
    }
    return all;
  }

  private static int partitions(URI node) {
    try {
      Matcher found = PARTS.matcher(NodeAnswers.text(node, "/metrics"));
      return found.find() ? (int) Double.parseDouble(found.group(1)) : -1;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
