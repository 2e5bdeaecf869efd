package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reloads by anybody who can connect: their files are read, and their lines written, in turn. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ReloadRateIT {
  private static final int ASKED = 500;
  private static final Pattern RELOADED = Pattern.compile("event=reloaded");

  @RegisterExtension final Processes processes = new Processes();

  @Test
  void reload_askedWithoutEnd_happensTenTimesAndThenOnceInSixSeconds() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--reload");
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest reload =
        HttpRequest.newBuilder(URI.create("http://localhost:" + sidecar.httpPort() + "/-/reload"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    long began = System.nanoTime();
    int done = 0;
    for (int i = 0; i < ASKED; i++) {
      HttpResponse<String> answer = client.send(reload, BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        done++;
      } else {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
            .isBetween(1L, 6L);
        assertThat(answer.body()).contains("10 reloads at once, and then one in 6 s");
      }
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);

    assertThat(done).isBetween(10, 11 + (int) seconds / 6);
    assertThat(RELOADED.matcher(sidecar.output()).results().count()).isEqualTo(done);
  }
}
