package io.hdrsidecar.client.hiccup;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;

/**
 * Measures pauses from one daemon thread, named {@code hdr-sidecar-hiccups}, until closed.
 *
 * <p>As jHiccup: sleep for the resolution, take the time since the last wake-up, subtract the
 * shortest such time seen. The rest held every thread that wanted to run: garbage collection,
 * safepoints, a busy or throttled processor, a stopped process or machine. During the start delay
 * the thread already runs, so that its code is warm, but its measurements are dropped, the shortest
 * with them.
 *
 * <p>A pause that outlasts the resolution is one measurement, though a thousand threads that became
 * due during it would each have waited for its rest. That is what the sink's expected interval is
 * for.
 *
 * <p>Source: jHiccup 2.0, {@code HiccupMeter.HiccupRecorder}.
 */
public final class HiccupMeter implements AutoCloseable {
  private final HiccupConfig config;
  private final HiccupSink sink;
  private final Thread thread;

  private HiccupMeter(HiccupConfig config, HiccupSink sink) {
    this.config = requireNonNull(config, "config");
    this.sink = requireNonNull(sink, "sink");
    this.thread = new Thread(this::run, "hdr-sidecar-hiccups");
    thread.setDaemon(true);
  }

  /** Starts measuring into the sink. */
  public static HiccupMeter start(HiccupConfig config, HiccupSink sink) {
    HiccupMeter meter = new HiccupMeter(config, sink);
    meter.thread.start();
    return meter;
  }

  private void run() {
    long started = System.nanoTime();
    long delayNanos = config.startDelay().toNanos();
    try {
      if (delayNanos > 0) {
        HiccupClock warmUp = new HiccupClock();
        do {
          sleep();
          warmUp.wokeAt(System.nanoTime());
        } while (System.nanoTime() - started < delayNanos);
      }
      measure();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed: the thread ends here.
    }
  }

  private void measure() throws InterruptedException {
    long resolutionNanos = config.resolution().toNanos();
    HiccupClock clock = new HiccupClock();
    while (true) {
      sleep();
      long hiccup = clock.wokeAt(System.nanoTime());
      if (hiccup != HiccupClock.NONE) {
        sink.hiccup(hiccup, resolutionNanos);
      }
    }
  }

  private void sleep() throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(config.resolution().toNanos());
  }

  /** Ends the thread; its last measurement may still reach the sink while this returns. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
