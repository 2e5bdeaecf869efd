package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class DemoIT {
  private static final Pattern STATUS_LINE = Pattern.compile("^ *\\d+ s +\\d+ calls/s");
  private static final Pattern METRICS_URL = Pattern.compile("^ +curl (http://\\S+/metrics)$");

  private static final Pattern TIMED_ROUTE =
      Pattern.compile("^ {2}(\\D.{27}) +(\\d+)(?: +\\d+\\.\\d){4}$", Pattern.MULTILINE);

  @RegisterExtension final Processes processes = new Processes();

  private JavaProcess demo(String... options) {
    List<String> ports = List.of("demo", "--http-port=0", "--ingest-port=0", "--seed=1");
    return processes.start(Stream.concat(ports.stream(), Stream.of(options)).toList());
  }

  /**
   * Response p99 is above service p99 by construction, not by the speed of the machine. Response
   * time is wait plus service time of the same call, so no percentile of it can be lower. What
   * lifts the 99th are the slow calls: one in a hundred is drawn to take 10 to 50 ms, so service
   * p99 lies where they begin, at 10 ms. The calls of a thread come due every 12.5 ms, so a slow
   * one of more than 22.5 ms, as two in three are, makes at least one later call wait for more than
   * 10 ms, and one of more than 35 ms two. Hence about two calls in a hundred, not one, have a
   * response of more than 10 ms. A slower machine lengthens service times, and with them the waits.
   */
  @Test
  void demo_withADuration_showsTheWaitOnlyInTheResponseTime() throws Exception {
    JavaProcess demo = demo("--duration=10s", "--rate=2000");

    assertThat(demo.awaitExit()).as("%s", demo).isZero();
    assertCountsEqualCallsMade(demo);
    assertThat(response(demo, "p99 ms")).isGreaterThan(service(demo, "p99 ms"));
    assertThat(response(demo, "mean ms")).isGreaterThan(service(demo, "mean ms"));
    assertThat(demo.output()).contains("coordinated omission", "/metrics");
    assertThat(TIMED_ROUTE.matcher(demo.output()).results())
        .extracting(row -> row.group(1).strip(), row -> row.group(2))
        .containsExactly(
            tuple("a byte, TCP", "1000"), // 200 a second, for 5 s
            tuple("a byte, Unix socket", "1000"),
            tuple("INTERVAL to ACK, TCP", "1000"),
            tuple("INTERVAL to ACK, Unix socket", "1000"),
            tuple("record to /metrics", "1000"));
  }

  @Test
  void demo_onCtrlC_stillShowsTheTable() throws Exception {
    JavaProcess demo = demo("--rate=1000");
    demo.awaitLine(STATUS_LINE);

    demo.interrupt();

    assertThat(demo.awaitExit()).as("exit code of an end that was asked for").isZero();
    assertCountsEqualCallsMade(demo);
    assertThat(demo.output()).as("who wants the end waits for no more").doesNotContain("a byte");
  }

  @Test
  void demo_onCtrlCWhileItTimesTheTransport_endsWithoutThoseTimes() throws Exception {
    JavaProcess demo = demo("--duration=5s", "--rate=100");
    demo.awaitLine(Pattern.compile("^There and back .*"));

    demo.interrupt();

    assertThat(demo.awaitExit()).as("exit code of an end that was asked for").isZero();
    assertCountsEqualCallsMade(demo);
    assertThat(demo.output()).doesNotContain("a byte");
  }

  @Test
  void demo_afterItsFirstInterval_servesServiceWaitAndResponse() throws Exception {
    JavaProcess demo = demo("--rate=1000");
    URI metrics = URI.create(demo.awaitLine(METRICS_URL).group(1));

    HttpRequest scrape = HttpRequest.newBuilder(metrics).build();
    HttpClient http = HttpClient.newHttpClient();
    Eventually.holds(
        () ->
            assertThat(http.send(scrape, BodyHandlers.ofString()).body())
                .contains(
                    "demo_call_seconds_count{kind=\"service\"}",
                    "demo_call_seconds_count{kind=\"wait\"}",
                    "demo_call_seconds_count{kind=\"response\"}"));
  }

  @Test
  void demo_withAServiceFourTimesTooSlow_showsResponseGrowingByTheDifference() throws Exception {
    JavaProcess demo = demo("--duration=5s", "--rate=1000", "--threads=1", "--service=fixed:4ms");

    assertThat(demo.awaitExit()).as("%s", demo).isZero();
    double calls = service(demo, "calls made");
    // Call k ends after at least k times 4 ms, and was meant to start k - 1 ms in: that bound holds
    // on a machine of any speed, the last call has the longest response, and the first the
    // shortest.
    assertThat(response(demo, "max ms")).isGreaterThanOrEqualTo(4 + 3 * (calls - 1));
    assertThat(service(demo, "min ms")).isGreaterThanOrEqualTo(4);
    assertThat(calls).isLessThanOrEqualTo(1_250);
    assertThat(demo.output()).contains("were still waiting at the end");
  }

  @Test
  void demo_onATakenPort_namesTheOption() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      JavaProcess demo =
          processes.start(
              List.of("demo", "--http-port=" + taken.getLocalPort(), "--ingest-port=0"));

      assertThat(demo.awaitExit()).isNotZero();
      assertThat(demo.output())
          .contains("--http-port", Integer.toString(taken.getLocalPort()))
          .doesNotContain("\tat ");
    }
  }

  private static void assertCountsEqualCallsMade(JavaProcess demo) throws InterruptedException {
    double made = service(demo, "calls made");
    assertThat(made).isPositive();
    assertThat(List.of(service(demo, "count"), response(demo, "count"))).containsOnly(made);
  }

  private static double service(JavaProcess demo, String row) throws InterruptedException {
    return cell(demo, row, 1);
  }

  private static double response(JavaProcess demo, String row) throws InterruptedException {
    return cell(demo, row, 2);
  }

  private static double cell(JavaProcess demo, String row, int column) throws InterruptedException {
    Pattern pattern = Pattern.compile("^ +" + Pattern.quote(row) + " +([0-9.]+) +([0-9.]+)$");
    return Double.parseDouble(demo.awaitLine(pattern).group(column));
  }
}
