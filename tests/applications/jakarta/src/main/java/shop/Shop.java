package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What the application serves. */
@Path("/")
public class Shop {
  @GET
  @Path("pay")
  public String pay() {
    return "paid";
  }

  /** An exception that JAX-RS maps to an answer. */
  @GET
  @Path("denied")
  public String denied() {
    throw new NotAuthorizedException("Bearer");
  }

  /** An exception that leaves the chain of filters. */
  @GET
  @Path("broken")
  public String broken() {
    throw new IllegalStateException("broken");
  }

  /** Answers on another thread, after a second. */
  @GET
  @Path("later")
  public void later(@Suspended AsyncResponse response) {
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> response.resume("done"));
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
