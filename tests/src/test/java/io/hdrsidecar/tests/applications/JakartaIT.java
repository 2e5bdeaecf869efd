package io.hdrsidecar.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a web application on Jakarta EE sends: a war in Tomcat, with Jersey. */
final class JakartaIT {
  @RegisterExtension final Processes processes = new Processes();
  @TempDir private Path folder = Path.of("");

  @Test
  void requests_areInTheSidecar_ofEachApplicationApart() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = Shop.onTomcat(processes, sidecar.ingestAddress(), folder, "/shop", "/stock");

    assertThat(shop.get("/shop/pay").body()).isEqualTo("paid");
    assertThat(shop.get("/stock/pay").body()).isEqualTo("paid");
    assertThat(shop.get("/shop/pay").body()).isEqualTo("paid");
    assertThat(shop.get("/shop/denied").statusCode()).isEqualTo(401);
    assertThat(shop.get("/shop/broken").statusCode()).isEqualTo(500);
    assertThat(shop.get("/shop/nowhere").statusCode()).isEqualTo(404);
    assertThat(shop.get("/shop/later").body()).isEqualTo("done");

    Eventually.holds(
        () -> {
          assertThat(counted(sidecar, "/shop", "Shop.pay", 200)).isEqualTo(2);
          assertThat(counted(sidecar, "/stock", "Shop.pay", 200)).isEqualTo(1);
          assertThat(counted(sidecar, "/shop", "Shop.denied", 401)).isEqualTo(1);
          assertThat(counted(sidecar, "/shop", "Shop.broken", 500)).isEqualTo(1);
          assertThat(counted(sidecar, "/shop", "/*", 404)).isEqualTo(1);
          assertThat(counted(sidecar, "/shop", "Shop.later", 200)).isEqualTo(1);
        });
    assertThat(sidecar.metrics())
        .containsPattern("http_server_requests_window_seconds\\{.*quantile=\"0.99\"");
    // Nanoseconds: its answer came a second after the filter had returned.
    assertThat(sidecar.total(series("/shop", "Shop.later", 200), "").getLong("max"))
        .isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void sigterm_whileARequestIsAnswered_itsValueIsCounted() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = Shop.onTomcat(processes, sidecar.ingestAddress(), folder, "/shop");
    CompletableFuture<HttpResponse<String>> slow = shop.getLater("/shop/slow");
    shop.process().awaitLine(Pattern.compile("slow request began"));

    shop.process().terminate();

    assertThat(slow.get().body()).isEqualTo("done");
    shop.process().awaitExit();
    assertThat(counted(sidecar, "/shop", "Shop.slow", 200)).isEqualTo(1);
    assertThat(shop.process().output()).doesNotContain("SEVERE", "not delivered");
  }

  private static long counted(SidecarProcess sidecar, String context, String endpoint, int status)
      throws Exception {
    return sidecar.total(series(context, endpoint, status), "").getLong("count");
  }

  private static String series(String context, String endpoint, int status) {
    return String.format(
        "http_server_requests{context=\"%s\",endpoint=\"%s\",status=\"%d\"}",
        context, endpoint, status);
  }
}
