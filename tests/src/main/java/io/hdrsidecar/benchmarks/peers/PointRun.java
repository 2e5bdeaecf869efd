package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.peers.application.Application;
import io.hdrsidecar.benchmarks.peers.application.Mark;
import io.hdrsidecar.benchmarks.peers.application.Values;
import io.hdrsidecar.benchmarks.peers.beside.Beside;
import io.hdrsidecar.benchmarks.peers.beside.Programs;
import io.hdrsidecar.benchmarks.peers.measure.Child;
import io.hdrsidecar.benchmarks.peers.measure.ExposedPage;
import io.hdrsidecar.benchmarks.peers.measure.ScrapeLoop;
import io.hdrsidecar.benchmarks.peers.measure.Scraper;
import io.hdrsidecar.benchmarks.peers.measure.Truth;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One peer at one point: starts its processes, looks at them while they run, ends them. */
final class PointRun {
  /** The heap is as large for all; how it is collected is left to the JVM, as services do. */
  static final List<String> APPLICATION_OPTIONS = List.of("-Xms256m", "-Xmx2g");

  private static final int SERIES = 0; // of which percentiles are held against the truth

  /** As often as before, so that what is done after the measured time is not scrapes. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** So long without a further event means that no more come. */
  private static final Duration STILL = Duration.ofSeconds(3);

  /**
   * The same for us, so that a machine that stands still is not taken for a loss; and so long may
   * scrapes of anybody fail.
   */
  private static final Duration STILL_FOR_US = Duration.ofSeconds(30);

  private final Programs programs;
  private final Path folder;
  private final int warmUpSeconds;
  private final int seconds;

  PointRun(Programs programs, Path folder, int warmUpSeconds, int seconds) {
    this.programs = programs;
    this.folder = folder;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
  }

  /**
   * Measures.
   *
   * @throws IOException when one of the processes ended, with what it printed
   */
  PointResult measure(Peer peer, Point point) throws IOException, InterruptedException {
    try (Beside beside = programs.start(peer, folder, point.series());
        Child application = startApplication(peer, point, beside)) {
      try {
        return measure(peer, point, beside, application);
      } catch (IOException e) {
        @Nullable Child process = beside.process();
        if (process != null) {
          process.checkAlive();
        }
        throw e;
      }
    }
  }

  private PointResult measure(Peer peer, Point point, Beside beside, Child application)
      throws IOException, InterruptedException {
    Matcher ready = application.awaitLine(Pattern.compile("^ready (\\S+)"));
    @Nullable URI own = ready.group(1).equals("-") ? null : URI.create(ready.group(1));
    @Nullable URI page = own == null ? beside.metrics() : own;
    @Nullable Scraper scraper = page == null ? null : new Scraper(page);
    return measure(peer, point, beside, application, scraper);
  }

  private Child startApplication(Peer peer, Point point, Beside beside) throws IOException {
    @Nullable Child process = beside.process();
    return Child.startJava(
        APPLICATION_OPTIONS,
        Application.class,
        List.of(
            peer.name(),
            beside.address(),
            Integer.toString(beside.telemetryPort()),
            Long.toString(process == null ? 0 : process.pid()),
            Long.toString(point.rate()),
            Integer.toString(point.series()),
            Integer.toString(warmUpSeconds),
            Integer.toString(seconds)));
  }

  private PointResult measure(
      Peer peer, Point point, Beside beside, Child application, @Nullable Scraper scraper)
      throws IOException, InterruptedException {
    @Nullable Child process = beside.process();
    ScrapeLoop scrapes = new ScrapeLoop(scraper);
    try {
      Mark warm = mark(application, "warm");
      Mark measured = mark(application, "measured");
      scrapes.end();
      double scrapeMillis = scraper == null ? Double.NaN : scraper.medianMillis();

      @Nullable Settled settled =
          scraper == null
              ? null
              : settled(peer, scraper, measured.events(), () -> cpuSeconds(application, process));
      @Nullable ExposedPage page = settled == null ? null : settled.page();
      beside.awaitFigures();
      Truth truth = new Truth(Values.table(), measured.events(), point.series(), SERIES);
      return new PointResult(
          peer,
          point,
          (measured.nanos() - warm.nanos()) / 1e9,
          measured.events() - warm.events(),
          measured.cpuSeconds() - warm.cpuSeconds(),
          measured.besideCpuSeconds() - warm.besideCpuSeconds(),
          application.peakBytes(),
          process == null ? 0 : process.peakBytes(),
          measured.events(),
          page == null ? 0 : page.count(),
          settled == null ? 0 : settled.behind(),
          settled == null
              ? 0
              : settled.cpuSeconds() - measured.cpuSeconds() - measured.besideCpuSeconds(),
          beside.clientLosses(),
          beside.wireBytes(),
          errors(truth, quantile -> page == null ? none() : shown(peer, page, quantile)),
          errors(truth, quantile -> page == null ? none() : alsoNative(peer, page, quantile)),
          scraper == null ? 0 : scraper.pageBytes(),
          scraper == null ? 0 : scraper.sentBytes(),
          scrapeMillis,
          scrapes.failed());
    } finally {
      scrapes.end();
    }
  }

  private static Mark mark(Child application, String what)
      throws IOException, InterruptedException {
    return Mark.parse(application.awaitLine(Pattern.compile("^" + what + " (\\d.*)$")).group(1));
  }

  private static double cpuSeconds(Child application, @Nullable Child process) throws IOException {
    return application.cpuSeconds() + (process == null ? 0 : process.cpuSeconds());
  }

  private interface CpuSeconds {
    double now() throws IOException;
  }

  /**
   * The end of a run.
   *
   * @param behind events not on the first page
   * @param cpuSeconds of both processes when the last event had come
   */
  private record Settled(ExposedPage page, long behind, double cpuSeconds) {}

  /** The page once all is counted, or nothing more has come for a while. */
  private static Settled settled(Peer peer, Scraper scraper, long recorded, CpuSeconds cpu)
      throws IOException, InterruptedException {
    Duration still = peer == Peer.HDR_SIDECAR ? STILL_FOR_US : STILL;
    long changed = System.nanoTime();
    long answered = changed;
    @Nullable Settled settled = null;
    while (true) {
      try {
        ExposedPage page = new ExposedPage(scraper.scrape());
        answered = System.nanoTime();
        if (settled == null || page.count() != settled.page().count()) {
          long behind = settled == null ? recorded - page.count() : settled.behind();
          settled = new Settled(page, behind, cpu.now());
          changed = answered;
        }
        if (page.count() == recorded || answered - changed >= still.toNanos()) {
          return settled;
        }
      } catch (IOException e) { // One scrape that a busy machine made too slow is no failure yet.
        if (System.nanoTime() - answered >= STILL_FOR_US.toNanos()) {
          throw e;
        }
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  private interface Shown {
    OptionalDouble nanos(double quantile);
  }

  private static OptionalDouble none() {
    return OptionalDouble.empty();
  }

  private static OptionalDouble shown(Peer peer, ExposedPage page, double quantile) {
    return peer.quantileNanos(page, Integer.toString(SERIES), quantile);
  }

  private static OptionalDouble alsoNative(Peer peer, ExposedPage page, double quantile) {
    if (peer != Peer.HDR_SIDECAR) {
      return none();
    }
    OptionalDouble seconds = page.nativeQuantile(Integer.toString(SERIES), quantile);
    return seconds.isPresent() ? OptionalDouble.of(seconds.getAsDouble() * 1e9) : seconds;
  }

  private static List<Double> errors(Truth truth, Shown shown) {
    return PointResult.QUANTILES.stream()
        .map(
            quantile -> {
              OptionalDouble nanos = shown.nanos(quantile);
              double value = truth.value(quantile);
              return nanos.isPresent() ? (nanos.getAsDouble() - value) / value : Double.NaN;
            })
        .toList();
  }
}
