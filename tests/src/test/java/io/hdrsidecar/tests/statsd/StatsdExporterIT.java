package io.hdrsidecar.tests.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.process.FreePort;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real statsd_exporter beside a sidecar, on the same datagrams over Unix sockets, whose sender
 * waits. What ours says is held against the raw list; what theirs says is printed.
 */
final class StatsdExporterIT {
  private static final int VALUES = 100_000;
  private static final int IN_A_DATAGRAM = 200;
  private static final int SAMPLED = 1_000_000;
  private static final int PACKED = 500;
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final long EIGHTH_NANOS = 125_000;
  private static final double[] QUANTILES = {0.5, 0.9, 0.99};

  /** Three significant digits: a bucket is at most a thousandth of its values wide. */
  private static final double BOUND = 0.001;

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  private final HttpClient http = HttpClient.newHttpClient();
  private Path ours = Path.of("set below");
  private Path theirs = Path.of("set below");
  private SidecarProcess sidecar;
  private URI exporterPage = URI.create("http://127.0.0.1");

  @BeforeEach
  void startBoth() throws Exception {
    List<String> build =
        List.of(
            Path.of("benchmarks/footprint-peers").toAbsolutePath().toString(),
            "--statsd-exporter-only");
    Tool.bring(build, Path.of("."));
    String programs = Tool.run(build, Path.of(".")).strip();
    ours = folder.resolve("ours");
    theirs = folder.resolve("theirs");
    int port = FreePort.tcp();
    processes.start(
        List.of(
            programs + "/statsd_exporter",
            "--statsd.listen-udp=",
            "--statsd.listen-tcp=",
            "--statsd.listen-unixgram=" + theirs,
            "--web.listen-address=127.0.0.1:" + port),
        Map.of());
    exporterPage = URI.create("http://127.0.0.1:" + port + "/metrics");
    sidecar = processes.sidecar(0, "--statsd-unix-datagram=" + ours);
    Eventually.holds(() -> assertThat(exporter()).contains("statsd_exporter_build_info"));
    assertThat(theirs).exists();
  }

  @Test
  void sameTraffic_countsAreEqual_andOursIsWithinItsBoundOfTheRawList() throws Exception {
    SplittableRandom random = new SplittableRandom(21);
    long[] nanos =
        LongStream.generate(() -> random.nextLong(8, 8L << random.nextInt(1, 14)) * EIGHTH_NANOS)
            .limit(VALUES)
            .toArray();
    Histogram truth = new Histogram(1, HIGHEST, 3);
    Arrays.stream(nanos).forEach(truth::recordValue);
    send(datagrams(nanos), 1);

    awaitTheirs("beside_time_count{env=\"test\"}", VALUES);
    JsonObject counted = ours("beside_time{env=\"test\"}", VALUES);
    assertThat(counted.getString("sum")).isEqualTo(String.valueOf(Arrays.stream(nanos).sum()));
    assertThat(BucketTexts.of(counted)).isEqualTo(BucketTexts.of(truth));
    Arrays.sort(nanos);
    for (double quantile : QUANTILES) {
      long exact = nanos[(int) Math.ceil(quantile * VALUES) - 1];
      double our = atRank(counted, (long) Math.ceil(quantile * VALUES));
      double their = 1e9 * theirs("beside_time{env=\"test\",quantile=\"" + quantile + "\"}");
      assertThat(our).isBetween((double) exact, exact * (1 + BOUND));
      System.out.printf(
          Locale.ROOT,
          "statsd_exporter beside: %d values, p%.0f of the raw list %d ns, ours %+.3f %%, theirs"
              + " %+.3f %%%n",
          VALUES,
          100 * quantile,
          exact,
          100 * (our / exact - 1),
          100 * (their / exact - 1));
    }
  }

  /** A value at a rate of 0.3 stands for 3.33. */
  @Test
  void sampledTraffic_ofAMillionValues_countsWhatTheyStandForWithinOne() throws Exception {
    String packed = "1:".repeat(PACKED - 1) + "1";
    send(List.of("beside.sampled:" + packed + "|d|@0.3|#env:test"), SAMPLED / PACKED);

    double expected = SAMPLED / 0.3;
    JsonObject counted =
        Eventually.gives(
            () -> {
              JsonObject total = sidecar.total("beside_sampled{env=\"test\"}", "");
              assertThat((double) total.getLong("count")).isBetween(expected - 1, expected + 1);
              return total;
            });
    // It counts events after lines, in batches: each value is one event for each that it stands
    // for.
    double theirs = Math.floor(1 / 0.3) * SAMPLED;
    awaitTheirs("beside_sampled_count{env=\"test\"}", theirs);
    System.out.printf(
        Locale.ROOT,
        "statsd_exporter beside: %d values at a rate of 0.3 stand for %.1f, ours %d, theirs %.0f,"
            + " which it reached%n",
        SAMPLED,
        expected,
        counted.getLong("count"),
        theirs);
  }

  /** Milliseconds in eighths, which decimals have exactly. */
  private static List<String> datagrams(long[] nanos) {
    List<String> datagrams = new ArrayList<>();
    for (int i = 0; i < nanos.length; i += IN_A_DATAGRAM) {
      List<String> values = new ArrayList<>();
      for (long value : Arrays.copyOfRange(nanos, i, Math.min(nanos.length, i + IN_A_DATAGRAM))) {
        values.add(BigDecimal.valueOf(value, 6).stripTrailingZeros().toPlainString());
      }
      datagrams.add("beside.time:" + String.join(":", values) + "|ms|#env:test");
    }
    return datagrams;
  }

  private void send(List<String> datagrams, int times) throws Exception {
    Path file = Files.write(folder.resolve("datagrams.txt"), datagrams);
    Tool.run(
        List.of(
            "python3",
            Path.of("src/test/python/unix_datagrams.py").toAbsolutePath().toString(),
            file.toString(),
            String.valueOf(times),
            ours.toString(),
            theirs.toString()),
        Path.of("."));
  }

  private JsonObject ours(String selector, long count) throws Exception {
    return Eventually.gives(
        () -> {
          JsonObject total = sidecar.total(selector, "&buckets=true");
          assertThat(total.getLong("count")).isEqualTo(count);
          return total;
        });
  }

  /** The highest value of the bucket in which a rank is, as percentiles are answered. */
  private static long atRank(JsonObject answer, long rank) {
    long before = 0;
    for (Object each : answer.getJsonArray("buckets")) {
      JsonObject bucket = (JsonObject) each;
      before += bucket.getLong("count");
      if (before >= rank) {
        return bucket.getLong("highest");
      }
    }
    throw new AssertionError("rank " + rank + " of " + before);
  }

  private void awaitTheirs(String sample, double value) throws Exception {
    Eventually.holds(() -> assertThat(theirs(sample)).isEqualTo(value));
  }

  private double theirs(String sample) throws Exception {
    String page = exporter();
    Matcher found = Pattern.compile("(?m)^" + Pattern.quote(sample) + " (\\S+)$").matcher(page);
    assertThat(found.find()).as("%s in %s", sample, page).isTrue();
    return Double.parseDouble(found.group(1));
  }

  private String exporter() throws Exception {
    return http.send(HttpRequest.newBuilder(exporterPage).build(), BodyHandlers.ofString()).body();
  }
}
