package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real process prints, from the first line to the last. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ServeLogTest {
  /** One pair of logfmt, as its readers take it. */
  private static final String PAIR = "[\\w.-]+=(\"([^\"\\\\]|\\\\.)*\"|[^\\s\"=]+)";

  private final List<String> lines = new ArrayList<>();
  private @Nullable Process process;

  private BufferedReader start(String command, String... flags) throws Exception {
    return start(List.of(), command, flags);
  }

  private BufferedReader start(List<String> jvm, String command, String... flags) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(command, "--ingest-port=0", "--http-port=0"));
    arguments.addAll(List.of(flags));
    process = JavaProgram.builder(jvm, Main.class, arguments).start();
    return process.inputReader();
  }

  private String await(BufferedReader output, String text) throws Exception {
    while (true) {
      String line = output.readLine();
      assertThat(line).as("waiting for %s after%n%s", text, lines).isNotNull();
      add(line);
      if (line.contains(text)) {
        return line;
      }
    }
  }

  /** The class path of the tests has a library that the program has not, and that says so. */
  private void add(String line) {
    if (!line.startsWith("SLF4J: ")) {
      lines.add(line);
    }
  }

  private int terminate(BufferedReader output) throws Exception {
    Process running = Objects.requireNonNull(process);
    new ProcessBuilder("kill", "-TERM", Long.toString(running.pid())).start().waitFor();
    output.lines().forEach(this::add);
    return running.waitFor();
  }

  @AfterEach
  void kill() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Test
  void logfmt_everyLineOfALife_isPairs() throws Exception {
    BufferedReader output = start("serve", "--log-level=debug", "--ingest-host=0.0.0.0");
    await(output, "event=ready");

    assertThat(terminate(output)).isZero();
    assertThat(lines).allMatch(line -> line.matches(PAIR + "( " + PAIR + ")*"));
    assertThat(lines).noneMatch(line -> line.contains("{0}"));
    assertThat(lines)
        .anyMatch(line -> line.contains(" level=WARN ") && line.contains("problem=\"ingest.host: "))
        .anyMatch(line -> line.contains(" level=DEBUG ") && line.contains("event=memory_bound "));
    assertThat(lines.get(lines.size() - 1)).endsWith(" event=stopped");
  }

  @Test
  void json_everyLineOfALife_isAnObjectWithTheSameFields() throws Exception {
    BufferedReader output = start("serve", "--log-format=json");
    JsonObject ready = new JsonObject(await(output, "\"ready\""));

    assertThat(terminate(output)).isZero();
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(new JsonObject(line).fieldNames())
                    .contains("time", "level", "logger", "event"));
    assertThat(ready.getString("http") + "/").isEqualTo(ready.getString("explorer"));
  }

  @Test
  void starting_saysVersionAndWhatIsNotTheDefaultAndNothingElse() throws Exception {
    BufferedReader output = start("serve", "--windows=1m,5m", "--drain=0s");
    await(output, "event=ready");

    assertThat(lines.get(0))
        .endsWith(
            " level=INFO logger=ServeCommand event=starting version="
                + Version.text()
                + " java="
                + System.getProperty("java.version")
                + " ingest.port=0 windows=1m,5m http.port=0");
    assertThat(lines).hasSize(3);
  }

  /** 64 MiB are 52 beside an idle sidecar: 35 % for series, 5 % for the history, 14 % to merge. */
  @Test
  void limits_ofTheHeap_areSaidInOneLineAndInTheStatus() throws Exception {
    BufferedReader output =
        start(List.of("-Xmx64m", "-XX:+UseG1GC"), "serve", "--windows=1m,5m", "--series-max=500");

    assertThat(await(output, "event=limits"))
        .contains(" level=INFO ")
        .contains(" heap=64MiB ")
        .endsWith(
            " series.max=500 series.max-memory=18636KiB series.max-counters=48933"
                + " history.max-memory=2662KiB windows=1m,5m");
    Matcher http = Pattern.compile("http=(\\S+)").matcher(await(output, "event=ready"));
    assertThat(http.find()).isTrue();
    JsonObject status = new JsonObject(get(http.group(1) + "/api/v1/status")).getJsonObject("data");
    assertThat(status.getJsonObject("limits").getMap())
        .isEqualTo(
            Map.of(
                "series", 500,
                "counters", 48_933,
                "seriesBytes", 19_084_065,
                "historyBytes", 2_726_295,
                "bodyBytes", 16 << 20));
  }

  private static String get(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void ready_namesTheExplorerFirstAndItIsThere() throws Exception {
    BufferedReader output = start("serve", "--http-host=0.0.0.0");
    Matcher ready =
        Pattern.compile(
                "event=ready explorer=(http://localhost:\\d+/) ingest=tcp://\\S+ http=\\S+$")
            .matcher(await(output, "event=ready"));

    assertThat(ready.find()).as("%s", lines).isTrue();
    assertThat(get(ready.group(1))).contains("<html");
  }

  @Test
  void sigterm_whileStarting_endsWithZero() throws Exception {
    BufferedReader output = start("serve");
    await(output, "event=starting");

    assertThat(terminate(output)).as("%s", lines).isZero();
    assertThat(lines).anyMatch(line -> line.contains("event=stopping signal=TERM"));
  }

  @Test
  void sigterm_inTheFirstMomentOfADemo_endsWithZero() throws Exception {
    BufferedReader output = start("demo");
    assertThat(await(output, "explorer:")).matches("explorer: http://127\\.0\\.0\\.1:\\d+/");

    assertThat(terminate(output)).as("%s", lines).isZero();
  }
}
