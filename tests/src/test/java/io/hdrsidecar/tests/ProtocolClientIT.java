package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A client that was written from PROTOCOL.md alone, honest or not, and a real sidecar. */
@RequiresPrograms("python3")
final class ProtocolClientIT {
  private static final Path TOOL = Path.of("src/test/python/protocol_client.py").toAbsolutePath();
  private static final Pattern EXAMPLE =
      Pattern.compile("^```spill\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern CONNECTED =
      Pattern.compile("hdr_sidecar_client_connected\\{client=\"(\\w{32})\"} 1.0\n");
  private static final Pattern INSTANCE = Pattern.compile("^#I \\w+ (\\w{32}) ", Pattern.MULTILINE);

  @RegisterExtension final Processes processes = new Processes();
  @TempDir Path folder = Path.of("set by JUnit");

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", TOOL.toString()));
    command.addAll(List.of(arguments));
    return Tool.run(command, folder);
  }

  private String run(String command, SidecarProcess sidecar, String... more)
      throws IOException, InterruptedException {
    URI ingest = URI.create(sidecar.ingestAddress());
    List<String> arguments =
        new ArrayList<>(List.of(command, ingest.getHost(), String.valueOf(ingest.getPort())));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private SidecarProcess picksUp(Path spill) throws InterruptedException {
    return processes.sidecar(0, "--spill-folder=" + spill, "--spill-scan-interval=100ms");
  }

  private static void awaitPickedUp(SidecarProcess sidecar) throws Exception {
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .contains("hdr_sidecar_spill_files_total{result=\"merged\"} 1.0\n"));
    assertThat(sidecar.metrics())
        .contains("hdr_sidecar_spill_files_total{result=\"damaged\"} 0.0\n")
        .contains("hdr_sidecar_spill_intervals_total{result=\"refused\"} 0.0\n");
  }

  @Test
  void spillFile_writtenFromTheDocument_isCountedExactly() throws Exception {
    Path spill = Files.createDirectory(folder.resolve("spill"));
    JsonObject written = new JsonObject(run("spill", spill.toString()));

    SidecarProcess sidecar = picksUp(spill);
    awaitPickedUp(sidecar);

    assertThat(written.fieldNames()).hasSize(6);
    for (String name : written.fieldNames()) {
      JsonObject total = sidecar.total(name + "{pod=\"shop-1 ü\",zone=\"a\"}", "");
      for (String figure : written.getJsonObject(name).fieldNames()) {
        assertThat(total.getLong(figure))
            .as("%s of %s", figure, name)
            .isEqualTo(written.getJsonObject(name).getLong(figure));
      }
    }
    assertThat(sidecar.total("in_ns{route=\"/pay,;={}~\\\"% ü\"}", "").getLong("count"))
        .isEqualTo(4);
  }

  @Test
  void spillFile_shownInTheDocument_isWhatTheToolWritesAndIsCounted() throws Exception {
    Matcher shown = EXAMPLE.matcher(Files.readString(Path.of("..", "PROTOCOL.md")));
    assertThat(shown.find()).isTrue();
    assertThat(shown.group(1)).isEqualTo(run("example"));
    Path spill = Files.createDirectory(folder.resolve("spill"));
    String name = "spill-20251009T085320Z-a8faed6abbf35c12a4b26e40f6feb19d.hlog";
    Files.writeString(spill.resolve(name), shown.group(1));

    SidecarProcess sidecar = picksUp(spill);
    awaitPickedUp(sidecar);

    JsonObject total = sidecar.total("checkout{route=\"/pay\",service=\"shop\"}", "");
    assertThat(total.getLong("count")).isEqualTo(3);
    assertThat(total.getLong("sum")).isEqualTo(4_000_000);
  }

  @Test
  void edges_ofTheProtocol_areAsTheDocumentSays() throws Exception {
    JsonObject seen = new JsonObject(run("edges", processes.sidecar()));

    assertThat(seen.getMap())
        .isEqualTo(
            Map.ofEntries(
                Map.entry("before WELCOME", List.of("WELCOME 0", "ACK 1")),
                Map.entry("above the window", "ACK 5000"),
                Map.entry("first number", List.of("ACK 7")),
                Map.entry("below an earlier number", List.of("ACK 7")),
                Map.entry("widest gap", List.of("ACK 65543")),
                Map.entry("number 0", List.of("REJECT interval 0 bad_frame", "ACK 65543")),
                Map.entry(
                    "gap too wide",
                    List.of("ACK 65543", "REJECT connection 0 sequence_gap", "CLOSED")),
                Map.entry("after it", "WELCOME 65543"),
                Map.entry(
                    "above the payload's highest",
                    List.of("REJECT interval 1 bad_payload", "ACK 1")),
                Map.entry("above the series' highest", List.of("ACK 2")),
                Map.entry("GOODBYE without intervals", List.of("ACK 0", "CLOSED")),
                Map.entry("no HELLO", List.of("REJECT connection 0 unexpected_frame", "CLOSED"))));
  }

  private static HdrSidecarClient client(SidecarProcess sidecar) {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address(sidecar.ingestAddress())
            .interval(Duration.ofMillis(50))
            .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
            .shutdownHook(false)
            .build());
  }

  /** All values that were recorded are harvested, and nothing is on its way. */
  private static void record(HdrSidecarClient client, long first, long last) throws Exception {
    LatencyRecorder recorder = client.recorder("calls");
    for (long value = first; value <= last; value++) {
      recorder.record(value);
    }
    Eventually.holds(() -> assertThat(client.health().acknowledgedValues()).isEqualTo(last));
  }

  /** The client that is connected. */
  private static String shownAs(SidecarProcess sidecar) throws Exception {
    Matcher connected = CONNECTED.matcher(sidecar.metrics());
    assertThat(connected.find()).isTrue();
    return connected.group(1);
  }

  private static String instanceIn(Path journal) throws IOException {
    try (Stream<Path> files = Files.list(journal)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".hlog")).toList()) {
        Matcher instance = INSTANCE.matcher(Files.readString(file));
        if (instance.find()) {
          return instance.group(1);
        }
      }
    }
    throw new AssertionError("no instance in " + journal);
  }

  @Test
  void instance_ofAClient_isInItsJournalAndNowhereElse() throws Exception {
    Path journal = folder.resolve("journal");
    SidecarProcess sidecar = processes.sidecar(0, "--journal-directory=" + journal);
    try (HdrSidecarClient client = client(sidecar)) {
      record(client, 1, 100);
      String instance = instanceIn(journal);

      assertThat(sidecar.metrics())
          .containsPattern("hdr_sidecar_client_connected\\{client=\"\\w{32}\"} 1.0\n")
          .doesNotContain(instance);
      assertThat(sidecar.status().encode()).doesNotContain(instance);
      assertThat(sidecar.output()).doesNotContain(instance);
    }
  }

  @Test
  void numbers_takenBySomebodyWhoKnowsTheId_clientGoesOnAndLosesNothing() throws Exception {
    Path journal = folder.resolve("journal");
    SidecarProcess sidecar = processes.sidecar(0, "--journal-directory=" + journal);
    try (HdrSidecarClient client = client(sidecar)) {
      record(client, 1, 1_000);
      String before = shownAs(sidecar);

      JsonArray answers = new JsonArray(run("take", sidecar, instanceIn(journal)));

      assertThat(answers.getString(answers.size() - 2))
          .isEqualTo("REJECT connection 0 sequence_gap");
      Eventually.holds(() -> assertThat(shownAs(sidecar)).isNotEqualTo(before));
      record(client, 1_001, 3_000);
      assertThat(client.close(Duration.ofSeconds(30)).deliveredAll()).isTrue();
      assertThat(client.health().lostValues()).isEmpty();
      assertThat(sidecar.total("calls", "").getLong("count")).isEqualTo(3_000);
      assertThat(sidecar.total("calls", "").getLong("sum")).isEqualTo(3_000L * 3_001 / 2);
    }
  }

  /** The places of one address are a quarter of all; the victim's is one of them. */
  @Test
  void flood_ofNewInstances_forgetsNobodyAlsoOverKill() throws Exception {
    String[] options = {
      "--ingest-max-instances=400", "--journal-directory=" + folder.resolve("journal")
    };
    SidecarProcess first = processes.sidecar(0, options);

    JsonObject flood = new JsonObject(run("flood", first, "500"));

    // The last that left may still be taken for connected when the next one comes.
    JsonObject answers = flood.getJsonObject("answers");
    assertThat(answers.getInteger("0")).isBetween(99, 120);
    assertThat(answers.getInteger("instance_limit")).isEqualTo(500 - answers.getInteger("0"));
    String known = "[\"WELCOME 1\", \"ACK 1\"]";
    String instance = flood.getString("instance");
    assertThat(run("resend", first, instance).strip()).isEqualTo(known);
    assertThat(first.total("victim", "").getLong("count")).isEqualTo(3);
    first.kill();

    SidecarProcess second = processes.sidecar(0, options);
    assertThat(run("resend", second, instance).strip()).isEqualTo(known);
    assertThat(second.total("victim", "").getLong("count")).isEqualTo(3);
  }
}
