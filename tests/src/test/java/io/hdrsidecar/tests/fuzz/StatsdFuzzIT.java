package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.Sidecar;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged datagrams of DogStatsD: each is taken in turn with a good one, and the good one counts.
 */
final class StatsdFuzzIT {
  private static final List<String> GOOD =
      List.of(
          "page.views:1:2:3|d|@0.5|#country:china,env|c:ci-1|e:it-false|card:none|T1656581400",
          "fuel.level:0.5|ms\nsong.length:240|h|@0.3|#a:b\nusers:1|c\nx:y|s",
          "_e{21,36}:An exception occurred|Cannot parse CSV file|t:warning|#err:bad\na:1e3|d",
          "_sc|Redis connection|2|#env:dev|m:Redis timed out after 10s\nb:-1.5|h");

  private static final List<String> WORDS =
      List.of(
          "|",
          ":",
          "#",
          "@",
          ",",
          "\n",
          "\r\n",
          "|h",
          "|d",
          "|ms",
          "|c",
          "|@",
          "|@0",
          "|@1e-300",
          "|#",
          "1e99999999999",
          "NaN",
          "-",
          ".",
          "e",
          "_e{",
          "_sc|",
          "\u0000",
          "\ufffd",
          "::",
          "le:1,",
          "__name__:x,",
          "overflow:true,",
          "99999999999999999999");

  private final Mutator mutator =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toList());
  private final HttpClient http = HttpClient.newHttpClient();
  private final LogCapture log = new LogCapture();
  private final int port = freePort();
  private final Sidecar sidecar = start();
  private long sent;

  private static int freePort() {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private Sidecar start() {
    try {
      return Sidecar.start(SmallSidecar.config("--statsd-udp-address", "127.0.0.1:" + port));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() {
    sidecar.close();
    log.close();
  }

  @Test
  void take_damagedDatagrams_countsOrRefusesEachLine_andGoesOn(@TempDir Path unused)
      throws Exception {
    try (DatagramSocket socket = new DatagramSocket()) {
      Fuzz.run("statsd", (random, tally) -> feed(socket, random, tally));
    }
  }

  private void feed(DatagramSocket socket, SplittableRandom random, Fuzz.Tally tally)
      throws Exception {
    String good = GOOD.get(random.nextInt(GOOD.size()));
    send(socket, mutator.damaged(good.getBytes(StandardCharsets.UTF_8), random));
    send(socket, "probe:1|d".getBytes(StandardCharsets.US_ASCII));
    sent += 2;
    long before = refused;
    awaitDatagrams();
    assertThat(log.errors()).isEmpty();
    tally.add(refused == before);
  }

  private long refused;

  private static final Pattern DATAGRAMS =
      Pattern.compile("(?m)^hdr_sidecar_statsd_datagrams_total\\{socket=\"udp\"} (\\S+)$");
  private static final Pattern BAD =
      Pattern.compile("(?m)^hdr_sidecar_statsd_not_kept_total\\{reason=\"bad_\\w+\"} (\\S+)$");

  private void awaitDatagrams() throws Exception {
    long seen = -1;
    String page = "";
    for (int look = 0; seen < sent && look < 10_000; look++) {
      page = page();
      Matcher matcher = DATAGRAMS.matcher(page);
      assertThat(matcher.find()).isTrue();
      seen = (long) Double.parseDouble(matcher.group(1));
    }
    assertThat(seen).as("datagrams taken").isEqualTo(sent);
    refused =
        BAD.matcher(page)
            .results()
            .collect(Collectors.summingLong(r -> (long) Double.parseDouble(r.group(1))));
  }

  private String page() throws Exception {
    URI metrics = sidecar.httpAddress().resolve("/metrics");
    return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
  }

  private void send(DatagramSocket socket, byte[] bytes) throws Exception {
    socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
  }
}
