package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.client.DeliveryResult;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.schedule.ScheduledRecorder;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One run: the load, a status line each second, and at the end the table. */
final class Demo {
  private static final Duration STATUS_INTERVAL = Duration.ofSeconds(1);
  static final Duration DELIVERY_DEADLINE = Duration.ofSeconds(5);

  private final LoadPlan plan;
  private final SidecarApi api;
  private final String window;
  private final PrintWriter out;

  /**
   * A run to come.
   *
   * @param window name of the sliding window that the status lines show
   */
  Demo(LoadPlan plan, SidecarApi api, String window, PrintWriter out) {
    this.plan = plan;
    this.api = api;
    this.window = window;
    this.out = out;
  }

  /**
   * Makes the load, until its duration has passed or the process is interrupted.
   *
   * @param interrupts takes what is to be done when somebody wants the end
   * @return whether the duration has passed
   * @throws IOException when the sidecar does not answer, or not every call reached it
   */
  boolean run(HdrSidecarClient client, Consumer<Runnable> interrupts)
      throws IOException, InterruptedException {
    introduce();
    ScheduledRecorder recorder = ScheduledRecorder.of(client, CallKind.SERIES_NAME, Labels.empty());
    LoadGenerator generator = LoadGenerator.start(plan, recorder::record);
    AtomicBoolean interrupted = new AtomicBoolean();
    interrupts.accept(
        () -> {
          interrupted.set(true);
          generator.stop();
        });
    reportUntilEnd(generator);
    DeliveryResult delivery = client.close(DELIVERY_DEADLINE);
    conclude(generator);
    if (!delivery.deliveredAll()) {
      throw new IOException("not everything reached the sidecar: " + delivery);
    }
    return !interrupted.get();
  }

  /** The explorer first: who runs a demo wants to see something. */
  private void introduce() {
    StaggeredSchedule schedule = plan.schedule();
    out.printf(
        Locale.ROOT,
        "explorer: %s%n%n%,d calls/s on a fixed schedule over %d threads, seed %d; also%n%s%n",
        api.explorer(),
        schedule.callsPerSecond(),
        schedule.threads(),
        plan.seed(),
        commands());
    out.flush();
  }

  /** To be copied into a shell. */
  private String commands() {
    return String.join(
        System.lineSeparator(),
        "  curl " + api.metrics(),
        "  curl -g '" + api.shown(CallKind.SERVICE) + "'",
        "  curl -g '" + api.shown(CallKind.RESPONSE) + "'",
        "");
  }

  private void reportUntilEnd(LoadGenerator generator) throws IOException, InterruptedException {
    StatusLine status = new StatusLine();
    long begin = System.nanoTime();
    Duration next = STATUS_INTERVAL;
    while (!generator.awaitEnd(next.minusNanos(System.nanoTime() - begin))) {
      Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
      out.println(
          status.next(
              elapsed,
              generator.callsMade(),
              generator.behind(),
              window,
              api.statistics(CallKind.SERVICE.selector(), window),
              api.statistics(CallKind.RESPONSE.selector(), window)));
      out.flush();
      next = next.plus(STATUS_INTERVAL);
    }
  }

  private void conclude(LoadGenerator generator) throws IOException, InterruptedException {
    long made = generator.callsMade();
    Optional<SeriesStatistics> service = api.statistics(CallKind.SERVICE.selector(), "total");
    Optional<SeriesStatistics> response = api.statistics(CallKind.RESPONSE.selector(), "total");
    out.println();
    if (service.isPresent() && response.isPresent()) {
      out.print(ResultTable.of(made, service.get(), response.get()));
    } else {
      out.println("No call was made, so there is no table.");
    }
    out.print(Explanation.of(made, generator.callsDue()));
    out.printf("%nThe figures came from%n%s", commands());
    out.flush();
  }
}
