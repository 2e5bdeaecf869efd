package shop;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.micrometer.core.annotation.Timed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** What the application serves. */
@Path("/")
public class Shop {
  private final LatencyRecorder checkout;

  Shop(HdrSidecarClient client) {
    this.checkout = client.recorder("checkout");
  }

  @GET
  @Path("pay")
  @Timed("till.pay")
  public String pay() {
    return checkout.time(() -> "paid");
  }

  /** Takes three seconds. */
  @GET
  @Path("slow")
  public String slow() throws InterruptedException {
    System.out.println("slow request began");
    Thread.sleep(3_000);
    return "done";
  }
}
