package io.hdrsidecar.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an application on Quarkus sends, with the Micrometer that Quarkus brings. */
final class QuarkusIT {
  @RegisterExtension final Processes processes = new Processes();

  @Test
  void requests_areInTheSidecar_alsoThoseAnsweredAfterSigterm() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = Shop.onQuarkus(processes, sidecar.ingestAddress());

    assertThat(shop.get("/pay").body()).isEqualTo("paid");

    Eventually.holds(
        () ->
            assertThat(sidecar.metrics())
                .containsPattern("checkout_window_seconds\\{.*quantile=\"0.99\"")
                .contains("till_pay_seconds_count{")
                .containsPattern("http_server_requests_window_seconds\\{.*uri=\"/pay\""));

    CompletableFuture<HttpResponse<String>> slow = shop.getLater("/slow");
    shop.process().awaitLine(Pattern.compile("slow request began"));
    shop.process().terminate();

    assertThat(slow.get().body()).isEqualTo("done");
    shop.process().awaitExit();
    assertThat(sidecar.total("http_server_requests{uri=\"/slow\"}", "").getLong("count"))
        .isEqualTo(1);
    assertThat(shop.process().output()).doesNotContain("ERROR", "WARN", "Exception");
  }

  /** Somebody else's port, on which nobody listens. */
  @Test
  void withoutASidecar_theApplicationIsUp() throws Exception {
    Shop shop = Shop.onQuarkus(processes, "tcp://127.0.0.1:1");

    assertThat(shop.get("/pay").body()).isEqualTo("paid");
  }
}
