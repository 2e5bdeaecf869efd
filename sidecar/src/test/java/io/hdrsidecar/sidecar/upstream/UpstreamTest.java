package io.hdrsidecar.sidecar.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.Sidecar;
import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.support.TestCertificates;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sidecars above sidecars, with real sockets between them. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UpstreamTest {
  private static final int LOWERS = 6;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private static HdrSidecarClient client(Sidecar sidecar) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(sidecar.ingestAddress())
            .interval(Duration.ofMillis(50))
            .build());
  }

  private static void closed(HdrSidecarClient client) {
    assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
  }

  private static void record(Sidecar sidecar, long... values) {
    try (HdrSidecarClient client = client(sidecar)) {
      LatencyRecorder recorder = client.recorder("checkout", Labels.of("route", "/pay"));
      for (long value : values) {
        recorder.record(value);
      }
      closed(client);
    }
  }

  /** Percentiles of the fleet are those of one histogram of all raw values, bucket by bucket. */
  @Test
  void fleet_isOneHistogramOfAllRawValues() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    Histogram raw = new Histogram(HOUR_NANOS, 3);
    long sum = 0;
    List<Sidecar> lowers = new ArrayList<>();
    try (Sidecar upper = Fleet.start()) {
      for (int i = 0; i < LOWERS; i++) {
        lowers.add(
            Fleet.start(
                "--upstream-address",
                upper.ingestAddress(),
                "--upstream-resource-namespace",
                "prod",
                "--upstream-resource-deployment",
                "shop",
                "--upstream-resource-pod",
                "shop-" + i));
      }
      for (Sidecar lower : lowers) {
        long[] values = random.longs(2_000, 1, 1L << 34).map(v -> v >>> (int) (v & 15)).toArray();
        for (long value : values) {
          raw.recordValue(value);
          sum += value;
        }
        record(lower, values);
      }
      for (Sidecar lower : lowers) {
        Fleet.awaitHandedOn(lower, 2_000);
      }

      assertThat(Fleet.total(upper, "checkout")).isEqualTo(raw);
      String page = Fleet.page(upper);
      String labels = "{deployment=\"shop\",namespace=\"prod\",route=\"/pay\"}";
      assertThat(page)
          .contains("checkout_seconds_count" + labels + " " + LOWERS * 2_000 + "\n")
          .contains("checkout_seconds_sum" + labels + " " + BigDecimal.valueOf(sum, 9))
          .doesNotContain("pod=");
    } finally {
      lowers.forEach(Sidecar::close);
    }
  }

  @Test
  void kindsUnitsHelpAndExemplars_travel() throws Exception {
    try (Sidecar upper = Fleet.start();
        Sidecar lower = Fleet.start("--upstream-address", upper.ingestAddress());
        HdrSidecarClient client = client(lower)) {
      RecorderConfig config = RecorderConfig.latency().withHelp("Time of a query.");
      LatencyRecorder response = client.recorder("query", Labels.of("kind", "response"), config);
      response.record(3_000_000);
      response.recordWithExpectedInterval(30_000_000, 10_000_000);
      client.recorder("query", Labels.of("kind", "service"), config).record(1_000_000);
      closed(client);
      Fleet.awaitHandedOn(lower, 5);
      String below = Fleet.page(lower);
      String above = Fleet.page(upper);

      assertThat(samples(above)).isNotEmpty().isEqualTo(samples(below));
      assertThat(above).contains("# HELP query_seconds Time of a query.");
      assertThat(above).contains("corrected=\"expected_interval\"").contains("kind=\"service\"");
      assertThat(above).doesNotContain("\nhdr_sidecar_upstream_");
      assertThat(below).contains("\nhdr_sidecar_upstream_connected 1.0\n");
      assertThat(below).contains("\nhdr_sidecar_upstream_acknowledged_values_total ");
    }
  }

  private static List<String> samples(String page) {
    return page.lines().filter(line -> line.startsWith("query_seconds_")).sorted().toList();
  }

  @Test
  void resourceLabels_keptByConfiguration_tellPodsApart() throws Exception {
    try (Sidecar upper = Fleet.start("--ingest-resource-labels", "pod");
        Sidecar one =
            Fleet.start(
                "--upstream-address", upper.ingestAddress(),
                "--upstream-resource-namespace", "prod",
                "--upstream-resource-pod", "shop-1");
        Sidecar other =
            Fleet.start(
                "--upstream-address", upper.ingestAddress(), "--upstream-resource-pod", "shop-2")) {
      record(one, 1_000);
      record(other, 2_000, 3_000);
      Fleet.awaitHandedOn(one, 1);
      Fleet.awaitHandedOn(other, 2);

      assertThat(Fleet.page(upper))
          .contains("checkout_seconds_count{pod=\"shop-1\",route=\"/pay\"} 1\n")
          .contains("checkout_seconds_count{pod=\"shop-2\",route=\"/pay\"} 2\n")
          .doesNotContain("namespace=");
      assertThat(Fleet.page(one)).doesNotContain("{pod=");
    }
  }

  @Test
  void chainOfThree_handsOnToTheTop() throws Exception {
    try (Sidecar top = Fleet.start();
        Sidecar middle = Fleet.start("--upstream-address", top.ingestAddress());
        Sidecar bottom =
            Fleet.start(
                "--upstream-address",
                middle.ingestAddress(),
                "--upstream-resource-deployment",
                "shop")) {
      record(bottom, 1_000, 2_000);
      Fleet.awaitHandedOn(bottom, 2);
      Fleet.awaitHandedOn(middle, 2);

      assertThat(Fleet.page(top))
          .contains("checkout_seconds_count{deployment=\"shop\",route=\"/pay\"} 2\n");
    }
  }

  /** The loop closes last, and the one that closes it is told by those above it. */
  @Test
  void loop_isNoticedAndNothingIsDoubled(@TempDir Path folder) throws Exception {
    String first = "unix://" + folder.resolve("first");
    try (Sidecar third = Fleet.start("--upstream-address", first);
        Sidecar second = Fleet.start("--upstream-address", third.ingestAddress());
        Sidecar one =
            Fleet.start(
                "--ingest-unix-socket", folder.resolve("first").toString(),
                "--upstream-address", second.ingestAddress())) {
      List<Sidecar> all = List.of(one, second, third);
      Fleet.eventually(
          () -> {
            for (Sidecar sidecar : all) {
              if (!Fleet.upstream(sidecar).getString("problem").isEmpty()) {
                return true;
              }
            }
            return false;
          });
      record(one, 1_000);
      Fleet.eventually(
          () -> {
            long waiting = 0;
            for (Sidecar sidecar : all) {
              waiting += Fleet.upstream(sidecar).getLong("waitingValues");
            }
            return waiting == 1;
          });

      for (Sidecar sidecar : all) {
        assertThat(Fleet.page(sidecar)).doesNotContain("checkout_seconds_count{route=\"/pay\"} 2");
      }
    }
  }

  @Test
  void upstreamThatIsItself_isRefused(@TempDir Path folder) throws Exception {
    Path socket = folder.resolve("own");
    try (Sidecar sidecar =
        Fleet.start(
            "--ingest-unix-socket", socket.toString(), "--upstream-address", "unix://" + socket)) {
      Fleet.eventually(() -> !Fleet.upstream(sidecar).getString("problem").isEmpty());
      record(sidecar, 1_000);

      assertThat(Fleet.page(sidecar))
          .contains("checkout_seconds_count{route=\"/pay\"} 1\n")
          .contains("\nhdr_sidecar_upstream_refused_loop 1.0\n");
    }
  }

  @Test
  void mutualTlsAndToken_areAskedForAndShown(@TempDir Path folder) throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    Path ca = certificates.authority("ca");
    TestCertificates.Pair server = certificates.issue("server", "ca");
    TestCertificates.Pair own = certificates.issue("lower", "ca");
    Path token = Files.writeString(folder.resolve("token"), "wrong\n");
    Path tokens = Files.writeString(folder.resolve("tokens"), "secret\n");
    try (Sidecar upper =
            Fleet.start(
                "--tls-certificate", server.certificate().toString(),
                "--tls-key", server.key().toString(),
                "--tls-client-ca", ca.toString(),
                "--http-tls", "off",
                "--ingest-token-file", tokens.toString());
        Sidecar lower =
            Fleet.start(
                "--upstream-address", upper.ingestAddress(),
                "--upstream-tls-ca", ca.toString(),
                "--upstream-tls-certificate", own.certificate().toString(),
                "--upstream-tls-key", own.key().toString(),
                "--upstream-token-file", token.toString())) {
      record(lower, 1_000);
      Fleet.eventually(
          () -> Fleet.page(upper).contains("hdr_sidecar_rejected_total{reason=\"unauthorized\"}"));
      Files.writeString(token, "secret\n");
      Fleet.awaitHandedOn(lower, 1);

      assertThat(Fleet.page(upper)).contains("checkout_seconds_count{route=\"/pay\"} 1\n");
    }
  }

  @Test
  void drain_handsOnBeforeTheEnd() throws Exception {
    try (Sidecar upper = Fleet.start()) {
      Sidecar lower =
          Fleet.start(
              "--upstream-address", upper.ingestAddress(),
              "--upstream-interval", "10m",
              "--upstream-drain", "30s",
              "--drain", "0s");
      record(lower, 1_000, 2_000);
      lower.drain();

      assertThat(Fleet.page(upper)).contains("checkout_seconds_count{route=\"/pay\"} 2\n");
    }
  }

  /** The journal goes on where it was, and so does what it hands on. */
  @Test
  void restartWithJournal_handsOnEachValueOnce(@TempDir Path journal) throws Exception {
    try (Sidecar upper = Fleet.start()) {
      String[] flags = {
        "--upstream-address", upper.ingestAddress(),
        "--upstream-interval", "10m",
        "--upstream-drain", "0s",
        "--journal-directory", journal.toString(),
        "--journal-flush", "10ms"
      };
      for (int run = 1; run <= 3; run++) {
        try (Sidecar lower = Fleet.start(flags)) {
          record(lower, run);
        }
      }
      flags[3] = "100ms";
      try (Sidecar lower = Fleet.start(flags)) {
        Fleet.awaitHandedOn(lower, 3);
      }
      try (Sidecar lower = Fleet.start(flags)) {
        record(lower, 4);
        Fleet.awaitHandedOn(lower, 1);
      }

      assertThat(Fleet.page(upper))
          .contains("checkout_seconds_count{route=\"/pay\"} 4\n")
          .contains("checkout_seconds_sum{route=\"/pay\"} 1.0E-8\n");
    }
  }

  /** What was merged before there was an upstream is not its business. */
  @Test
  void firstRunWithUpstream_beginsWithWhatIsMergedThen(@TempDir Path journal) throws Exception {
    try (Sidecar before = Fleet.start("--journal-directory", journal.toString())) {
      record(before, 1, 2, 3);
    }
    try (Sidecar upper = Fleet.start();
        Sidecar lower =
            Fleet.start(
                "--upstream-address", upper.ingestAddress(),
                "--journal-directory", journal.toString())) {
      record(lower, 4);
      Fleet.awaitHandedOn(lower, 1);

      assertThat(Fleet.page(upper)).contains("checkout_seconds_count{route=\"/pay\"} 1\n");
      assertThat(Fleet.page(lower)).contains("checkout_seconds_count{route=\"/pay\"} 4\n");
    }
  }

  @Test
  void mistakesOfTheConfiguration_areNamed(@TempDir Path folder) {
    assertThatThrownBy(() -> Fleet.start("--upstream-address", "http://upper:1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("upstream.address")
        .hasMessageContaining("tls://host:port");
    assertThatThrownBy(
            () ->
                Fleet.start(
                    "--upstream-address",
                    "tcp://127.0.0.1:1",
                    "--upstream-tls-ca",
                    folder.resolve("none").toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("need an address tls://");
    assertThatThrownBy(
            () ->
                Fleet.start(
                    "--upstream-address",
                    "tls://127.0.0.1:1",
                    "--upstream-tls-key",
                    folder.resolve("none").toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("must be set together");
    assertThatThrownBy(
            () -> Fleet.start("--upstream-address", "tcp://upper.fleet:9924", "--strict", "true"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("without TLS");
  }
}
