package io.hdrsidecar.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The registry in Spring Boot's hands, with the Micrometer that Boot brings. */
final class SpringBootIT {
  private static final int THREADS = 4;
  private static final int REQUESTS_EACH = 500;
  private static final Pattern SLOW_BEGAN = Pattern.compile("slow request began");

  @RegisterExtension final Processes processes = new Processes();

  @ParameterizedTest(name = "Spring Boot {0}")
  @ValueSource(strings = {"3.5", "4.1"})
  void load_everyRequestIsAnsweredAndCounted(String boot) throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = start(sidecar, boot, "starter");

    for (int status : load(shop)) {
      assertThat(status).isEqualTo(200);
    }

    HttpResponse<String> health = shop.get("/actuator/health");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(health.body()).getString("status")).isEqualTo("UP");
    Eventually.holds(
        () -> assertThat(counted(sidecar, "/pay")).isEqualTo((long) THREADS * REQUESTS_EACH));
    Eventually.holds(
        () ->
            assertThat(sidecar.metrics().lines())
                .anyMatch(
                    line ->
                        line.startsWith("http_server_requests_window_seconds{")
                            && line.contains("uri=\"/pay\"")
                            && line.contains("quantile=\"0.99\"")));
    assertThat(shop.process().output()).doesNotContain("Error", "Exception");
  }

  private static List<Integer> load(Shop shop) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS * REQUESTS_EACH; i++) {
        calls.add(() -> shop.get("/pay").statusCode());
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> status : callers.invokeAll(calls)) {
        statuses.add(status.get());
      }
      return statuses;
    } finally {
      callers.shutdown();
    }
  }

  /**
   * Boot closes its registries first of all, and then the web server answers what it has begun. The
   * first request of its kind ends then, so its timer is made after the close.
   */
  @ParameterizedTest(name = "Spring Boot {0}, client: {1}")
  @CsvSource({
    "3.4, starter",
    "3.5, starter",
    "3.5, environment",
    "3.5, no-hook",
    "3.5, bean",
    "4.0, starter",
    "4.1, starter",
    "4.1, environment",
    "4.1, no-hook",
    "4.1, bean"
  })
  void sigterm_whileARequestIsAnswered_itsValueIsCounted(String boot, String client)
      throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = start(sidecar, boot, client);
    CompletableFuture<HttpResponse<String>> slow = shop.getLater("/slow");
    shop.process().awaitLine(SLOW_BEGAN);

    shop.process().terminate();
    HttpResponse<String> answer = slow.get();
    shop.process().awaitExit();

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("done");
    assertThat(counted(sidecar, "/slow")).isEqualTo(1);
    assertThat(shop.process().output()).doesNotContain("not delivered");
  }

  /** With a client that is made as said: by the starter, or in another way of ShopApplication. */
  private Shop start(SidecarProcess sidecar, String boot, String client)
      throws InterruptedException {
    return Shop.onBoot(processes, sidecar.ingestAddress(), boot, "-Dshop.client=" + client);
  }

  private static long counted(SidecarProcess sidecar, String uri) throws Exception {
    return sidecar.total("http_server_requests{uri=\"" + uri + "\"}", "").getLong("count");
  }
}
