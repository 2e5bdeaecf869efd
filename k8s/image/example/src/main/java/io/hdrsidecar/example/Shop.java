package io.hdrsidecar.example;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * The program. Where the sidecar is and which labels series have says {@code HDR_SIDECAR_ADDRESS},
 * {@code HDR_SIDECAR_LABELS} and so on; beside them:
 *
 * <ul>
 *   <li>{@code EXAMPLE_PORT}: of HTTP, default 8080
 *   <li>{@code EXAMPLE_RATE}: calls a second, default 100; 0 for a service without load
 *   <li>{@code EXAMPLE_SECONDS}: ends by itself after so long, as a Job does; default 0, never
 * </ul>
 */
public final class Shop {
  /** Within the 30 s that Kubernetes grants between SIGTERM and SIGKILL. */
  private static final Duration DELIVERY = Duration.ofSeconds(5);

  private Shop() {}

  /** Runs until SIGTERM, or as long as it was told to. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> environment = System.getenv();
    int port = number(environment, "EXAMPLE_PORT", 8080);
    int rate = number(environment, "EXAMPLE_RATE", 100);
    int seconds = number(environment, "EXAMPLE_SECONDS", 0);

    // The shutdown hooks of a JVM run at the same time. This program has one of its own, which
    // closes
    // the client last, when nobody records any more.
    HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder(environment).shutdownHook(false).build());
    CheckoutService service = new CheckoutService(client, port);
    CheckoutLoad load = new CheckoutLoad(client, service.port(), rate);
    Thread end = new Thread(() -> end(load, service, client), "end");
    Runtime.getRuntime().addShutdownHook(end);

    service.start();
    load.start();
    System.out.println("shop ready port=" + service.port());
    if (seconds > 0) {
      Thread.sleep(Duration.ofSeconds(seconds).toMillis());
      System.exit(0);
    }
  }

  /** First who calls, then who answers, then who counts. */
  private static void end(CheckoutLoad load, CheckoutService service, HdrSidecarClient client) {
    service.endReadiness();
    load.stop();
    service.stop();
    DeliveryResult delivery = client.close(DELIVERY);
    System.out.println(load.summary());
    System.out.println("shop stopped " + (delivery.deliveredAll() ? "" : delivery));
    System.out.flush();
  }

  private static int number(Map<String, String> environment, String name, int otherwise) {
    String text = environment.getOrDefault(name, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    if (!text.matches("\\d{1,6}")) {
      throw new IllegalArgumentException(name + " must be a number from 0 to 999999: " + text);
    }
    return Integer.parseInt(text);
  }
}
