package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.ServingProcess;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Settings and rules that change while a real process serves. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ServeReloadTest {
  private final Path folder;
  private final ServingProcess serve;

  ServeReloadTest(@TempDir Path folder) {
    this.folder = folder;
    this.serve = new ServingProcess(folder);
  }

  @AfterEach
  void kill() {
    serve.close();
  }

  @Test
  void sighup_reloadOn_takesUpTheFileAndABadOneChangesNothing() throws Exception {
    Path file = folder.resolve("sidecar.yaml");
    Files.writeString(file, "reload: true\nexpose.quantiles: [0.5]\n");
    serve.start("--config", file.toString());

    Files.writeString(file, "reload: true\nexpose.quantiles: [0.75]\nwindows: 5m\n");
    serve.signal("HUP");
    serve.awaitLine(
        Pattern.compile("event=reloaded changed=\\[expose.quantiles] needs_restart=\\[windows]"));
    assertThat(serve.get("/api/v1/status").body()).contains("\"expose.quantiles\":\"0.75\"");

    Files.writeString(file, "reload: true\nexpose.quantiles: [7]\nprot: 1\n");
    HttpResponse<String> refused = serve.reload();
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("nothing was changed", "expose.quantiles: ", "prot: no such setting");
    assertThat(serve.get("/api/v1/status").body()).contains("\"expose.quantiles\":\"0.75\"");
  }

  @Test
  void reloadInterval_rulesChange_areInForceWithoutASignalAndBadOnesAreNot() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: []\n");
    serve.start("--reload", "--reload-interval=50ms", "--sla-file=" + file);

    replace(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    serve.awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));
    assertThat(serve.get("/api/v1/sla").body()).contains("\"pay\"");
    String successful = "\nhdr_sidecar_config_last_reload_successful ";
    assertThat(serve.get("/metrics").body()).contains(successful + "1.0\n");

    replace(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");
    serve.awaitLine(Pattern.compile("event=reload_refused problem=\"sla.file: .*soon"));
    assertThat(serve.get("/api/v1/sla").body()).contains("\"pay\"");
    assertThat(serve.get("/metrics").body()).contains(successful + "0.0\n");
  }

  /** At once: a machine under load may look twice between the two steps of a plain write. */
  private void replace(Path file, String text) throws Exception {
    Path whole = Files.writeString(folder.resolve("whole"), text);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void statsdMapping_changes_namesWhatComesThenAndABadOneChangesNothing() throws Exception {
    Path file = folder.resolve("mapping.yaml");
    Files.writeString(file, "mappings: [{match: a.*, name: before}]\n");
    serve.start("--reload", "--statsd-udp-address=127.0.0.1:0", "--statsd-mapping-file=" + file);
    Matcher listening = serve.awaitLine(Pattern.compile("address=udp://[0-9.]+:(\\d+)"));
    int port = Integer.parseInt(listening.group(1));
    sendUntilShown(port, "before");

    Files.writeString(file, "mappings: [{match: a.*, name: after}]\n");
    assertThat(serve.reload().body()).contains("statsd.mapping-file");
    sendUntilShown(port, "after");

    Files.writeString(file, "mappings: [{match: a.*, name: 'not a name'}]\n");
    HttpResponse<String> refused = serve.reload();
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("nothing was changed", "statsd.mapping-file: ");
    Files.writeString(file, "mappings: [{match: a.*, name: after}]\n");
    assertThat(serve.reload().body()).doesNotContain("statsd.mapping-file");
  }

  /** UDP may lose a datagram, and what was sent is shown a second later. */
  private void sendUntilShown(int port, String name) throws Exception {
    byte[] line = "a.b:1|d".getBytes(StandardCharsets.US_ASCII);
    try (DatagramSocket socket = new DatagramSocket()) {
      do {
        socket.send(new DatagramPacket(line, line.length, InetAddress.getLoopbackAddress(), port));
        TimeUnit.MILLISECONDS.sleep(100);
      } while (!serve.get("/metrics").body().contains("\n" + name + "_count"));
    }
  }

  @Test
  void slaRequired_offAndNoFile_startsWithoutRulesAndTakesThemWhenTheyAppear() throws Exception {
    Path file = folder.resolve("sla.yaml");
    serve.start("--reload", "--reload-interval=50ms", "--sla-required=off", "--sla-file=" + file);
    assertThat(serve.get("/api/v1/sla").body()).doesNotContain("\"pay\"");
    assertThat(serve.output())
        .contains("level=INFO logger=ServeCommand event=sla_file_missing file=" + file);

    replace(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    serve.awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));

    assertThat(serve.get("/api/v1/sla").body()).contains("\"pay\"");
  }

  /** In a pod a bad ConfigMap must keep neither the sidecar from starting nor the application. */
  @Test
  void slaRequired_offAndBadRules_startsReadyWithoutThemAndTakesGoodOnes() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");
    serve.start("--reload", "--reload-interval=50ms", "--sla-required=off", "--sla-file=" + file);

    assertThat(serve.output()).containsPattern("event=config problem=\"sla.file: .*soon");
    assertThat(serve.get("/-/ready").statusCode()).isEqualTo(200);
    assertThat(serve.get("/api/v1/status").body()).containsPattern("\"trouble\":\"[^\"]*soon");
    String successful = "\nhdr_sidecar_config_last_reload_successful ";
    assertThat(serve.get("/metrics").body())
        .contains(successful + "0.0\n")
        .contains("\nhdr_sidecar_config_last_reload_success_timestamp_seconds 0.0\n");

    replace(file, "slas: [{name: pay, selector: pay, limits: {100%: 2s}}]\n");
    serve.awaitLine(Pattern.compile("event=reloaded changed=\\[sla.file]"));

    assertThat(serve.get("/api/v1/sla").body()).contains("\"pay\"");
    assertThat(serve.get("/metrics").body()).contains(successful + "1.0\n");
    assertThat(serve.get("/api/v1/status").body()).doesNotContain("soon");
  }

  @Test
  void slaRequired_offAndBadRules_areRefusedByStrictAndByACheck() throws Exception {
    Path file = folder.resolve("sla.yaml");
    Files.writeString(file, "slas: [{name: pay, selector: pay, limits: {100%: soon}}]\n");

    serve.launch("--strict", "--sla-required=off", "--sla-file=" + file);
    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output()).contains("soon").contains("(refused by strict)");

    serve.launch("--check-config", "--sla-required=off", "--sla-file=" + file);
    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output()).contains("soon");
  }

  @Test
  void slaFile_requiredAndAbsent_isRefusedWithTwo() throws Exception {
    serve.launch("--sla-file=" + folder.resolve("sla.yaml"));

    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output()).contains("sla.file: no such file: ");
  }

  @Test
  void reloadInterval_withoutReload_isRefusedWithTwo() throws Exception {
    serve.launch("--reload-interval=5s");

    assertThat(serve.exitCode()).isEqualTo(2);
    assertThat(serve.output()).contains("reload-interval: needs reload: true");
  }

  @Test
  void reload_off_isForbidden() throws Exception {
    serve.start();

    HttpResponse<String> answer = serve.reload();

    assertThat(answer.statusCode()).isEqualTo(403);
  }
}
