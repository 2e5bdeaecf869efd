import io.hdrsidecar.client.micrometer.HdrSidecarMeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

public class MicrometerMain {
  public static void main(String[] args) {
    CompositeMeterRegistry registry = new CompositeMeterRegistry();
    registry.add(new SimpleMeterRegistry()); // stands for the registry you have
    registry.add(HdrSidecarMeterRegistry.fromEnvironment());

    Timer checkout = Timer.builder("shop.checkout").tag("route", "/pay").register(registry);
    for (int i = 0; i < 1_000; i++) {
      checkout.record(() -> Math.sqrt(2));
    }
    System.out.println(checkout.count() + " calls");

    registry.close(); // delivers what is left
  }
}
