package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.support.ServingProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a real process: signals, exit codes, what it refuses. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ServeProcessTest {
  private final Path folder;
  private final ServingProcess serve;

  ServeProcessTest(@TempDir Path folder) {
    this.folder = folder;
    this.serve = new ServingProcess(folder);
  }

  @AfterEach
  void kill() {
    serve.close();
  }

  private HdrSidecarClient client() {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(serve.ingest())
            .interval(Duration.ofMillis(50))
            .shutdownHook(false)
            .build());
  }

  @Test
  void sigterm_withoutDrain_endsWithZero() throws Exception {
    serve.start();

    serve.signal("TERM");

    assertThat(serve.exitCode()).isZero();
    assertThat(serve.output()).contains("event=stopping signal=TERM").endsWith(" event=stopped\n");
  }

  @Test
  void sigterm_withDrain_servesTheClientsLastValuesToOneMoreScrape() throws Exception {
    serve.start("--drain", "120s");
    HdrSidecarClient client = client();
    client.recorder("checkout", Labels.empty()).record(1_000);
    awaitMetrics("checkout_seconds_count 1");

    serve.signal("TERM");
    serve.awaitLine(Pattern.compile("event=stopping"));
    awaitRefusal(URI.create(serve.ingest()).getPort());
    assertThat(serve.get("/-/ready").statusCode()).isEqualTo(503);
    client.recorder("checkout", Labels.empty()).record(2_000);
    assertThat(client.close(ServingProcess.PATIENCE).deliveredAll()).isTrue();

    awaitMetricsOrEnd("checkout_seconds_count 2");
    assertThat(serve.exitCode()).isZero();
    assertThat(serve.output()).contains("event=last_scrape");
  }

  private void awaitMetrics(String text) throws Exception {
    while (!serve.get("/metrics").body().contains(text)) {
      LockSupport.parkNanos(1_000_000); // the time limit of the test ends it
    }
  }

  /** Scrapes until the process has had enough; the last page must show the text. */
  private void awaitMetricsOrEnd(String text) throws Exception {
    String page = "";
    try {
      while (serve.process().isAlive()) {
        page = serve.get("/metrics").body();
      }
    } catch (IOException closed) {
      assertThat(serve.process().waitFor(ServingProcess.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isTrue();
    }
    assertThat(page).contains(text);
  }

  private static void awaitRefusal(int port) throws Exception {
    while (!isRefused(port)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static boolean isRefused(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException refused) {
      return true;
    } catch (SocketException reset) {
      return false; // The listener closed while this connection was being made: ask again.
    }
  }

  @Test
  void sigterm_twice_endsAtOnce() throws Exception {
    serve.start("--drain", "600s");

    serve.signal("TERM");
    serve.awaitLine(Pattern.compile("event=stopping"));
    serve.signal("TERM");

    assertThat(serve.exitCode()).isEqualTo(143);
    assertThat(serve.output()).contains("event=ended_at_once");
  }

  @Test
  void beyondLoopback_bare_warnsInOneLineEachNamingTheFix() throws Exception {
    serve.start("--ingest-host=0.0.0.0", "--http-host=0.0.0.0");

    assertThat(
            serve
                .output()
                .lines()
                .filter(line -> line.contains("level=WARN ") && isAboutConfig(line)))
        .hasSize(2)
        .anyMatch(
            line ->
                line.contains("ingest.host: listens on 0.0.0.0 without TLS and without token")
                    && line.contains("set tls.certificate and tls.key, and ingest.token-file"))
        .anyMatch(line -> line.contains("http.host: listens on 0.0.0.0"));
  }

  private static boolean isAboutConfig(String line) {
    return line.contains("event=config");
  }

  @Test
  void serve_moreThanTheHeapAllowed_warnsAndNamesWhatToLower() throws Exception {
    serve.start("--series-max-memory=1024GiB");

    assertThat(
            serve.output().lines().filter(line -> line.contains("event=memory_bound_above_heap")))
        .singleElement()
        .asString()
        .contains("level=WARN ", "series.max-memory: 1024GiB: ", "more than the heap of ", " fits");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "series.max-memory=1024GiB",
        "history.max-memory=64GiB",
        "series.max-counters=2147483647",
        "journal.max-queued=4GiB"
      })
  void serve_moreThanTheHeapAllowed_strict_isRefusedWithTwo(String setting) throws Exception {
    String key = setting.substring(0, setting.indexOf('='));
    String value = setting.substring(setting.indexOf('=') + 1);
    serve.launch(
        "--" + key.replace('.', '-') + "=" + value,
        "--journal-directory=" + folder.resolve("journal"),
        "--strict");

    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output().lines().filter(line -> line.contains("(refused by strict)")))
        .singleElement()
        .asString()
        .startsWith(key + ": " + value + ": the sidecar may have to hold ")
        .contains("more than the heap of ", "at most ", " fits");
  }

  @Test
  void serve_defaults_strict_starts() throws Exception {
    serve.start("--strict");

    assertThat(serve.output()).doesNotContain("memory_bound");
  }

  @Test
  void serve_defaults_saysTheBoundWithTheLimitsAndInTheStatus() throws Exception {
    serve.start();

    assertThat(serve.output().lines().filter(line -> line.contains(" bound=")))
        .singleElement()
        .asString()
        .contains(" level=INFO ", " event=limits ");
    assertThat(serve.output()).doesNotContain("memory_bound").doesNotContain("level=WARN");
    assertThat(serve.get("/api/v1/status").body()).contains("\"boundBytes\":");
  }

  @Test
  void beyondLoopback_strict_isRefusedWithTwo() throws Exception {
    serve.launch("--ingest-host=0.0.0.0", "--strict");

    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output()).contains("ingest.host: listens on 0.0.0.0", "(refused by strict)");
  }
}
