package shop;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.micrometer.core.annotation.Timed;
import io.micrometer.observation.annotation.Observed;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application as a user would begin one, with the starter. A property gives it a client or a
 * registry of its own instead, as applications have that were there before the starter.
 */
@SpringBootApplication
public class ShopApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }

  /** A client of the registry's own, which the shutdown hook closes as well. */
  @Configuration
  @ConditionalOnProperty(name = "shop.client", havingValue = "environment")
  static class FromEnvironment {
    @Bean
    HdrSidecarMeterRegistry hdrSidecar() {
      return HdrSidecarMeterRegistry.fromEnvironment();
    }
  }

  /** A client that only Spring closes. */
  @Configuration
  @ConditionalOnProperty(name = "shop.client", havingValue = "no-hook")
  static class WithoutHook {
    @Bean
    HdrSidecarMeterRegistry hdrSidecar() {
      return HdrSidecarMeterRegistry.create(
          ClientConfig.builder(System.getenv()).shutdownHook(false).build());
    }
  }

  /** The client as a bean, which others may use as well. */
  @Configuration
  @ConditionalOnProperty(name = "shop.client", havingValue = "bean")
  static class ClientBean {
    @Bean
    HdrSidecarClient client() {
      return HdrSidecarClient.create(
          ClientConfig.builder(System.getenv()).shutdownHook(false).build());
    }

    @Bean
    HdrSidecarMeterRegistry hdrSidecar(HdrSidecarClient client) {
      return new HdrSidecarMeterRegistry(client);
    }
  }

  /** What it does; annotations and the recorder's name are all that it knows of measuring. */
  @Service
  static class Till {
    private final LatencyRecorder checkout;

    Till(LatencyRecorder checkout) {
      this.checkout = checkout;
    }

    @Timed("till.pay")
    public String pay() {
      return checkout.time(() -> "paid");
    }

    @Observed(name = "till.refund")
    public String refund() {
      return "refunded";
    }
  }

  /** What it serves. */
  @RestController
  static class Shop {
    private final Till till;

    Shop(Till till) {
      this.till = till;
    }

    @GetMapping("/pay")
    String pay() {
      return till.pay();
    }

    @GetMapping("/refund")
    String refund() {
      return till.refund();
    }

    /** Takes three seconds. */
    @GetMapping("/slow")
    String slow() throws InterruptedException {
      System.out.println("slow request began");
      Thread.sleep(3_000);
      return "done";
    }
  }
}
