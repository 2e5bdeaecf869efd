package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.RawHttp;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What pages of strangers can do with a sidecar that their reader's browser reaches. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class OtherOriginsIT {
  private static final String UPLOAD = "POST /api/v1/intervals?name=calls";

  private static final String LOG = logOfOneValue();

  @RegisterExtension final Processes processes = new Processes();

  private static String logOfOneValue() {
    Histogram histogram = new Histogram(1, 1_000_000, 3);
    histogram.recordValue(7);
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    byte[] payload = Arrays.copyOf(bytes.array(), length);
    return "0.000,1.000,0.007," + Base64.getEncoder().encodeToString(payload) + "\n";
  }

  private static int ask(SidecarProcess sidecar, String request, String... headers)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    if (all.stream().noneMatch(header -> header.startsWith("Host: "))) {
      all.add("Host: localhost:" + sidecar.httpPort());
    }
    String body = request.startsWith(UPLOAD) ? LOG : "";
    if (!body.isEmpty()) {
      all.add("Content-Type: text/plain"); // which a page may send anywhere without being allowed
    }
    return RawHttp.status(RawHttp.exchange(sidecar.httpPort(), request, all, body));
  }

  @Test
  void post_ofAnotherOrigin_changesNothing() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--reload");
    String port = ":" + sidecar.httpPort();
    for (String origin :
        List.of(
            "Origin: http://attacker.example",
            "Origin: null",
            "Origin: http://localhost",
            "Origin: http://localhost:1",
            "Origin: https://localhost" + port + ".attacker.example",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site")) {
      assertThat(ask(sidecar, UPLOAD, origin)).as(origin).isEqualTo(403);
      assertThat(ask(sidecar, "POST /-/reload", origin)).as(origin).isEqualTo(403);
    }
    assertThat(sidecar.metrics()).doesNotContain("calls_seconds_count");
    assertThat(sidecar.output()).doesNotContain("event=reloaded");

    assertThat(ask(sidecar, UPLOAD)).as("curl").isEqualTo(200);
    assertThat(ask(sidecar, UPLOAD, "Origin: http://localhost" + port)).isEqualTo(200);
    assertThat(ask(sidecar, UPLOAD, "Sec-Fetch-Site: same-origin")).isEqualTo(200);
    assertThat(ask(sidecar, UPLOAD, "Sec-Fetch-Site: none")).isEqualTo(200);
    assertThat(ask(sidecar, "POST /-/reload")).isEqualTo(200);
    assertThat(sidecar.metrics()).contains("calls_seconds_count 4");
  }

  @Test
  void anything_onLoopbackByAnotherName_isRefused() throws Exception {
    SidecarProcess sidecar =
        processes.sidecar(0, "--reload", "--http-host-names=metrics.example.org, [fd00::1]");
    List<String> requests =
        List.of("GET /metrics", "GET /api/v1/series?series=calls", "GET /", UPLOAD, "GET /none");
    for (String name :
        List.of(
            "attacker.example",
            "attacker.example:80",
            "127.0.0.1.attacker.example",
            "notlocalhost",
            "10.0.0.1")) {
      for (String request : requests) {
        assertThat(ask(sidecar, request, "Host: " + name)).as(request + name).isEqualTo(403);
      }
    }
    assertThat(sidecar.metrics()).doesNotContain("calls_seconds_count");

    for (String name :
        List.of(
            "localhost:" + sidecar.httpPort(),
            "LOCALHOST",
            "localhost.:8080",
            "127.0.0.1:1",
            "127.1.2.3",
            "[::1]:9925",
            "metrics.example.org",
            "Metrics.example.org:443",
            "[fd00::1]:80")) {
      assertThat(ask(sidecar, "GET /metrics", "Host: " + name)).as(name).isEqualTo(200);
    }
  }

  @Test
  void anything_beyondLoopback_isAskedByAddressesThatTheSidecarCannotKnow() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--http-host=0.0.0.0");
    for (String name : List.of("10.42.0.17:9925", "hdr-sidecar.shop.svc", "shop.example.org")) {
      assertThat(ask(sidecar, "GET /metrics", "Host: " + name)).as(name).isEqualTo(200);
      assertThat(ask(sidecar, UPLOAD, "Host: " + name, "Origin: http://attacker.example"))
          .as(name)
          .isEqualTo(403);
      assertThat(ask(sidecar, UPLOAD, "Host: " + name, "Origin: https://" + name)).isEqualTo(200);
    }
  }
}
