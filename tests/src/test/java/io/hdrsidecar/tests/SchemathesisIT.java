package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Schemathesis asks a running sidecar whatever its OpenAPI document allows and forbids, and holds
 * the answers against the document. The sidecar has a journal, rules, a token and some series.
 *
 * <p>{@code /api/v1/live} is left out: its answer does not end, and schemathesis waits for the end.
 * What it refuses is in OpenApiRequestsTest, what it sends in LiveApiTest.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SchemathesisIT {
  private static final Path SETTINGS = Path.of("src/test/schemathesis").toAbsolutePath();
  private static final String TOKEN = "s3cret";
  private static final Pattern CASES = Pattern.compile("(\\d+) generated");

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  @Test
  void api_askedBySchemathesis_answersAsItsDocumentSays() throws Exception {
    String python =
        Tool.python("schemathesis-python", List.of("-r", SETTINGS + "/requirements.txt"));
    SidecarProcess sidecar = start();
    record(sidecar.ingestAddress());
    URI http = URI.create("http://127.0.0.1:" + sidecar.httpPort());
    Path summary = Path.of("target/schemathesis.txt").toAbsolutePath();

    Process schemathesis =
        new ProcessBuilder(
                Path.of(python).resolveSibling("schemathesis").toString(),
                "--config-file=" + SETTINGS.resolve("schemathesis.toml"),
                "run",
                document(http).toString(),
                "--url=" + http,
                "--header=Authorization: Bearer " + TOKEN,
                "--checks=all",
                "--exclude-path=/api/v1/live",
                "--phases=examples,coverage,fuzzing",
                "--max-examples=15",
                "--max-time=60",
                "--seed=42",
                "--suppress-health-check=all",
                "--generation-database=none",
                "--no-color")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(summary.toFile())
            .start();
    int exit = schemathesis.waitFor();

    String text = Files.readString(summary);
    System.out.println(text.substring(Math.max(0, text.lastIndexOf("= SUMMARY ="))));
    assertThat(exit).as(text).isZero();
    Matcher cases = CASES.matcher(text);
    assertThat(cases.find()).as(text).isTrue();
    assertThat(Integer.parseInt(cases.group(1))).isGreaterThan(500);
    assertThat(sidecar.output()).doesNotContain("request failed");
  }

  private SidecarProcess start() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    Path rules =
        Files.writeString(
            folder.resolve("sla.yaml"),
            "slas: [{name: calls, selector: 'calls{kind=\"response\"}', limits: {50%: 1ms, 100%:"
                + " 2s}}]");
    return processes.sidecar(
        0,
        "--journal-directory=" + folder.resolve("journal"),
        "--sla-file=" + rules,
        "--http-token-file=" + token,
        "--reload=true");
  }

  /** Some seconds of several series. */
  private static void record(String address) {
    ClientConfig config =
        ClientConfig.builder().address(address).interval(Duration.ofMillis(100)).build();
    HdrSidecarClient client = HdrSidecarClient.create(config);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      Labels labels = Labels.of("route", "/r" + i % 3, "kind", i % 2 == 0 ? "response" : "service");
      client.recorder("calls", labels).record(random.nextLong(1, 1L << (10 + i % 20)));
    }
    assertThat(client.close(Duration.ofSeconds(60)).deliveredAll()).isTrue();
  }

  private Path document(URI http) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(http.resolve("/api/v1/openapi.yaml"))
            .header("Authorization", "Bearer " + TOKEN)
            .build();
    HttpResponse<Path> answer =
        HttpClient.newHttpClient()
            .send(request, BodyHandlers.ofFile(folder.resolve("openapi.yaml")));
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }
}
