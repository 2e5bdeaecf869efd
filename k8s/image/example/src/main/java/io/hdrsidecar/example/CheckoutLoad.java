package io.hdrsidecar.example;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.schedule.OpenLoad;
import io.hdrsidecar.client.schedule.Schedule;
import io.hdrsidecar.client.schedule.ScheduledRecorder;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * The service's customers: they come at their own times, whether or not those before them have been
 * served. Where all callers are busy, a call waits; that time is the series {@code
 * checkout{kind="wait"}}, what the service took is {@code kind="service"}, and what the customer
 * felt, both together, {@code kind="response"}.
 */
final class CheckoutLoad {
  private static final int CALLERS = 4;
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private final ScheduledRecorder checkout;
  private final int rate;
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
  private final Thread schedule = new Thread(this::run, "schedule");

  /** Second bookkeeping, to compare with what the sidecar has; a service of yours needs none. */
  private final Histogram responses = new SynchronizedHistogram(1, LONGEST_NANOS, DIGITS);

  CheckoutLoad(HdrSidecarClient client, int port, int rate) {
    this.checkout = ScheduledRecorder.of(client, "checkout", Labels.of("route", "/checkout"));
    this.request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/checkout")).build();
    this.rate = rate;
  }

  void start() {
    if (rate > 0) {
      schedule.start();
    }
  }

  /** No further calls; those that were due are made, which is part of the load. */
  void stop() {
    schedule.interrupt();
    try {
      schedule.join();
      callers.shutdown();
      if (!callers.awaitTermination(20, TimeUnit.SECONDS)) {
        callers.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      OpenLoad.of(Schedule.fixedRate(rate))
          .run(Long.MAX_VALUE, intended -> callers.execute(() -> call(intended)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the end
    }
  }

  private void call(long intended) {
    long start = System.nanoTime();
    try {
      http.send(request, BodyHandlers.discarding());
    } catch (IOException e) {
      System.err.println("checkout failed: " + e); // the customer waited all the same
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long end = System.nanoTime();
    checkout.record(intended, start, end);
    responses.recordValue(Math.min(LONGEST_NANOS, Math.max(0, start - intended) + end - start));
  }

  /** What the callers have seen: count, and the response times as HdrHistogram in base64. */
  String summary() {
    ByteBuffer bytes = ByteBuffer.allocate(responses.getNeededByteBufferCapacity());
    int length = responses.encodeIntoCompressedByteBuffer(bytes);
    return "shop calls="
        + responses.getTotalCount()
        + " responses="
        + Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }
}
