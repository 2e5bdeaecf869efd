package io.hdrsidecar.sidecar.expose;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.hdrsidecar.sidecar.metric.Amounts;
import io.hdrsidecar.sidecar.metric.Metric;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The metrics of a scrape about itself, told in the next scrape. One thread at a time. */
final class ScrapeMeters {
  private static final System.Logger LOG = System.getLogger(ScrapeMeters.class.getName());
  private static final double NANOS = 1e9;

  private final Amounts seconds;
  private final Amounts bytes;
  private final LongAdder failedSeries;
  private boolean failing;
  private boolean failedThisTime;

  ScrapeMeters(MetricRegistry registry) {
    seconds =
        summary(
            registry,
            "scrape.duration.seconds",
            "Time to read all series and write the page of a scrape");
    bytes = summary(registry, "scrape.size.bytes", "Size of the page of a scrape, as sent");
    failedSeries =
        registry.counter(
            "scrape.failed.series", "Series left out of a scrape because they could not be shown");
  }

  private static Amounts summary(MetricRegistry registry, String name, String help) {
    Amounts amounts = registry.summary(name, help);
    registry.add(
        new Metric(
            name + ".max",
            help + ": the greatest of the last one to two minutes",
            false,
            amounts::recentMax,
            List.of()));
    return amounts;
  }

  void seriesFailed(String series, RuntimeException cause) {
    failedSeries.increment();
    failedThisTime = true;
    if (!failing) {
      failing = true;
      LOG.log(WARNING, "event=scrape_incomplete left_out={0} cause={1}", series, cause);
    }
  }

  void finished(long nanos, long sentBytes) {
    seconds.add(nanos / NANOS);
    bytes.add((double) sentBytes);
    if (failing && !failedThisTime) {
      failing = false;
      LOG.log(INFO, "event=scrape_complete");
    }
    failedThisTime = false;
  }
}
