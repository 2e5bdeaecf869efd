package io.hdrsidecar.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One dependency and no line of code: what an application with a starter sends and tells. */
final class SpringBootStarterIT {
  @RegisterExtension final Processes processes = new Processes();

  @ParameterizedTest(name = "Spring Boot {0}, {1}")
  @CsvSource({
    "3.4, -Dspring.aot.enabled=false",
    "3.5, -Dspring.aot.enabled=false",
    "3.5, -Dspring.aot.enabled=true",
    "4.0, -Dspring.aot.enabled=false",
    "4.1, -Dspring.aot.enabled=false",
    "4.1, -Dspring.aot.enabled=true"
  })
  void requests_areInTheSidecar_withWhatIsAnnotatedAndRecorded(String boot, String option)
      throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    Shop shop = Shop.onBoot(processes, sidecar.ingestAddress(), boot, option);

    assertThat(shop.get("/pay").body()).isEqualTo("paid");
    assertThat(shop.get("/refund").body()).isEqualTo("refunded");

    List<String> series =
        List.of(
            "http_server_requests_seconds_count{application=\"shop\"",
            "till_pay_seconds_count{application=\"shop\"",
            "till_refund_seconds_count{application=\"shop\"",
            "checkout_seconds_count{application=\"shop\"",
            "jvm_hiccup_seconds_count{application=\"shop\"");
    Eventually.holds(
        () -> {
          String metrics = sidecar.metrics();
          assertThat(series).allSatisfy(line -> assertThat(metrics).contains("\n" + line));
        });
    assertThat(sidecar.metrics()).doesNotContain("_active_seconds");
    assertThat(json(shop.get("/actuator/hdrsidecar")).getBoolean("connected")).isTrue();
    assertThat(component(shop)).isEqualTo("UP");
    assertThat(shop.process().output()).doesNotContain("Error", "Exception", "WARN");
  }

  /** Somebody else's port, on which nobody listens. */
  @ParameterizedTest(name = "Spring Boot {0}")
  @ValueSource(strings = {"3.5", "4.1"})
  void withoutASidecar_theApplicationIsUp(String boot) throws Exception {
    Shop shop = Shop.onBoot(processes, "tcp://127.0.0.1:1", boot, "-Dshop.client=starter");

    assertThat(shop.get("/pay").body()).isEqualTo("paid");

    HttpResponse<String> health = shop.get("/actuator/health");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(json(health).getString("status")).isEqualTo("UP");
    assertThat(component(shop)).isEqualTo("UNKNOWN");
    assertThat(json(shop.get("/actuator/hdrsidecar")).getBoolean("connected")).isFalse();
  }

  private static String component(Shop shop) throws Exception {
    return json(shop.get("/actuator/health"))
        .getJsonObject("components")
        .getJsonObject("hdrSidecar")
        .getString("status");
  }

  private static JsonObject json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    return new JsonObject(answer.body());
  }
}
