package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a real process: signals, exit codes, reloading. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ServeProcessTest {
  private static final Pattern READY =
      Pattern.compile("event=ready .*ingest=(?<ingest>\\S+) http=(?<http>\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path folder;
  private final Path output;
  private @Nullable Process started;
  private String ingest = "";
  private URI http = URI.create("http://127.0.0.1");

  ServeProcessTest(@TempDir Path folder) {
    this.folder = folder;
    this.output = folder.resolve("output.txt");
  }

  private void start(String... flags) throws Exception {
    launch(flags);
    Matcher ready = awaitLine(READY);
    ingest = ready.group("ingest");
    http = URI.create(ready.group("http"));
  }

  private void launch(String... flags) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env", // Java keeps signals ignored that its parent ignores, as under nohup.
                "--default-signal=HUP,INT,TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--ingest-port=0",
                "--http-port=0"));
    command.addAll(List.of(flags));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HDR_SIDECAR_"));
    started = builder.start();
  }

  @AfterEach
  void kill() {
    if (started != null) {
      started.destroyForcibly();
    }
  }

  private Process process() {
    return Objects.requireNonNull(started, "not started");
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Matcher awaitLine(Pattern pattern) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      boolean mayFollow = process().isAlive() && System.nanoTime() < deadline; // before it is read
      String printed = output();
      Matcher found = pattern.matcher(printed);
      if (found.find()) {
        return found;
      }
      assertThat(mayFollow).as("waiting for %s in%n%s", pattern, printed).isTrue();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process().pid())).start().waitFor();
  }

  private int exitCode() throws Exception {
    assertThat(process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    return process().exitValue();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(http.resolve(path)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient()
        .send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
  }

  private HdrSidecarClient client() {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(ingest)
            .interval(Duration.ofMillis(50))
            .shutdownHook(false)
            .build());
  }

  @Test
  void sigterm_withoutDrain_endsWithZero() throws Exception {
    start();

    signal("TERM");

    assertThat(exitCode()).isZero();
    assertThat(output()).contains("event=stopping signal=TERM").endsWith(" event=stopped\n");
  }

  @Test
  void sigterm_withDrain_servesTheClientsLastValuesToOneMoreScrape() throws Exception {
    start("--drain", "120s");
    HdrSidecarClient client = client();
    client.recorder("checkout", Labels.empty()).record(1_000);
    awaitMetrics("checkout_seconds_count 1");

    signal("TERM");
    awaitLine(Pattern.compile("event=stopping"));
    awaitRefusal(URI.create(ingest).getPort());
    assertThat(get("/-/ready").statusCode()).isEqualTo(503);
    client.recorder("checkout", Labels.empty()).record(2_000);
    assertThat(client.close(PATIENCE).deliveredAll()).isTrue();

    awaitMetricsOrEnd("checkout_seconds_count 2");
    assertThat(exitCode()).isZero();
    assertThat(output()).contains("event=last_scrape");
  }

  private void awaitMetrics(String text) throws Exception {
    while (!get("/metrics").body().contains(text)) {
      LockSupport.parkNanos(1_000_000); // the time limit of the test ends it
    }
  }

  /** Scrapes until the process has had enough; the last page must show the text. */
  private void awaitMetricsOrEnd(String text) throws Exception {
    String page = "";
    try {
      while (process().isAlive()) {
        page = get("/metrics").body();
      }
    } catch (IOException closed) {
      assertThat(process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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
    start("--drain", "600s");

    signal("TERM");
    awaitLine(Pattern.compile("event=stopping"));
    signal("TERM");

    assertThat(exitCode()).isEqualTo(143);
    assertThat(output()).contains("event=ended_at_once");
  }

  @Test
  void sighup_reloadOn_takesUpTheFileAndABadOneChangesNothing() throws Exception {
    Path file = folder.resolve("sidecar.yaml");
    Files.writeString(file, "reload: true\nexpose.quantiles: [0.5]\n");
    start("--config", file.toString());

    Files.writeString(file, "reload: true\nexpose.quantiles: [0.75]\nwindows: 5m\n");
    signal("HUP");
    awaitLine(
        Pattern.compile("event=reloaded changed=\\[expose.quantiles] needs_restart=\\[windows]"));
    assertThat(get("/api/v1/status").body()).contains("\"expose.quantiles\":\"0.75\"");

    Files.writeString(file, "reload: true\nexpose.quantiles: [7]\nprot: 1\n");
    HttpResponse<String> refused =
        send(
            HttpRequest.newBuilder(http.resolve("/-/reload"))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("nothing was changed", "expose.quantiles: ", "prot: no such setting");
    assertThat(get("/api/v1/status").body()).contains("\"expose.quantiles\":\"0.75\"");
  }

  @Test
  void reloadInterval_rulesChange_areInForceWithoutASignalAndBadOnesAreNot() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: []\n");
    start("--reload", "--reload-interval=50ms", "--sla-file=" + file);

    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));
    assertThat(get("/api/v1/sla").body()).contains("\"pay\"");
    String successful = "\nhdr_sidecar_config_last_reload_successful ";
    assertThat(get("/metrics").body()).contains(successful + "1.0\n");

    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");
    awaitLine(Pattern.compile("event=reload_refused problem=\"sla.file: .*soon"));
    assertThat(get("/api/v1/sla").body()).contains("\"pay\"");
    assertThat(get("/metrics").body()).contains(successful + "0.0\n");
  }

  @Test
  void slaRequired_offAndNoFile_startsWithoutRulesAndTakesThemWhenTheyAppear() throws Exception {
    Path file = folder.resolve("sla.yaml");
    start("--reload", "--reload-interval=50ms", "--sla-required=off", "--sla-file=" + file);
    assertThat(get("/api/v1/sla").body()).doesNotContain("\"pay\"");

    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));

    assertThat(get("/api/v1/sla").body()).contains("\"pay\"");
  }

  /** In a pod a bad ConfigMap must keep neither the sidecar from starting nor the application. */
  @Test
  void slaRequired_offAndBadRules_startsReadyWithoutThemAndTakesGoodOnes() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");
    start("--reload", "--reload-interval=50ms", "--sla-required=off", "--sla-file=" + file);

    assertThat(output()).containsPattern("event=config problem=\"sla.file: .*soon");
    assertThat(get("/-/ready").statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/status").body()).containsPattern("\"trouble\":\"[^\"]*soon");
    String successful = "\nhdr_sidecar_config_last_reload_successful ";
    assertThat(get("/metrics").body())
        .contains(successful + "0.0\n")
        .contains("\nhdr_sidecar_config_last_reload_success_timestamp_seconds 0.0\n");

    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));

    assertThat(get("/api/v1/sla").body()).contains("\"pay\"");
    assertThat(get("/metrics").body()).contains(successful + "1.0\n");
    assertThat(get("/api/v1/status").body()).doesNotContain("soon");
  }

  @Test
  void slaRequired_offAndBadRules_areRefusedByStrictAndByACheck() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");

    launch("--strict", "--sla-required=off", "--sla-file=" + file);
    assertThat(exitCode()).isEqualTo(2);
    assertThat(output()).contains("soon").contains("(refused by strict)");

    launch("--check-config", "--sla-required=off", "--sla-file=" + file);
    assertThat(exitCode()).isEqualTo(2);
    assertThat(output()).contains("soon");
  }

  @Test
  void slaFile_requiredAndAbsent_isRefusedWithTwo() throws Exception {
    launch("--sla-file=" + folder.resolve("sla.yaml"));

    assertThat(exitCode()).isEqualTo(2);
    assertThat(output()).contains("sla.file: no such file: ");
  }

  @Test
  void reloadInterval_withoutReload_isRefusedWithTwo() throws Exception {
    launch("--reload-interval=5s");

    assertThat(exitCode()).isEqualTo(2);
    assertThat(output()).contains("reload-interval: needs reload: true");
  }

  @Test
  void reload_off_isForbidden() throws Exception {
    start();

    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(http.resolve("/-/reload"))
                .POST(HttpRequest.BodyPublishers.noBody()));

    assertThat(answer.statusCode()).isEqualTo(403);
  }

  @Test
  void beyondLoopback_bare_warnsInOneLineEachNamingTheFix() throws Exception {
    start("--ingest-host=0.0.0.0", "--http-host=0.0.0.0");

    assertThat(output().lines().filter(line -> line.contains("level=WARN ") && isAboutConfig(line)))
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
    start("--series-max-memory=1024GiB");

    assertThat(output().lines().filter(line -> line.contains("event=memory_bound_above_heap")))
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
    launch(
        "--" + key.replace('.', '-') + "=" + value,
        "--journal-directory=" + folder.resolve("journal"),
        "--strict");

    assertThat(exitCode()).isEqualTo(2);
    assertThat(output().lines().filter(line -> line.contains("(refused by strict)")))
        .singleElement()
        .asString()
        .startsWith(key + ": " + value + ": the sidecar may have to hold ")
        .contains("more than the heap of ", "at most ", " fits");
  }

  @Test
  void serve_defaults_strict_starts() throws Exception {
    start("--strict");

    assertThat(output()).doesNotContain("memory_bound");
  }

  @Test
  void serve_defaults_saysTheBoundInTheStatusAlone() throws Exception {
    start();

    assertThat(output()).doesNotContain("memory_bound").doesNotContain("level=WARN");
    assertThat(get("/api/v1/status").body()).contains("\"boundBytes\":");
  }

  @Test
  void beyondLoopback_strict_isRefusedWithTwo() throws Exception {
    launch("--ingest-host=0.0.0.0", "--strict");

    assertThat(exitCode()).isEqualTo(2);
    assertThat(output()).contains("ingest.host: listens on 0.0.0.0", "(refused by strict)");
  }
}
