import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;

public class Quickstart {
  public static void main(String[] args) {
    try (HdrSidecarClient client = HdrSidecarClient.fromEnvironment()) {
      LatencyRecorder checkout = client.recorder("checkout", Labels.of("route", "/pay"));
      checkout.time(() -> System.out.println("paid")); // service time, also when it throws
      checkout.record(1_500_000); // or nanoseconds you have measured yourself
    } // close() delivers what is left
  }
}
