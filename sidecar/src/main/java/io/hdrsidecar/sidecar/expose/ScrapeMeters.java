package io.hdrsidecar.sidecar.expose;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The metrics of a scrape about itself, told in the next scrape. One thread at a time. */
final class ScrapeMeters {
  private static final System.Logger LOG = System.getLogger(ScrapeMeters.class.getName());

  private final Timer duration;
  private final DistributionSummary size;
  private final Counter failedSeries;
  private boolean failing;
  private boolean failedThisTime;

  ScrapeMeters(MeterRegistry registry) {
    duration =
        Timer.builder("hdr_sidecar.scrape.duration")
            .description("Time to read all series and write the page of a scrape")
            .register(registry);
    size =
        DistributionSummary.builder("hdr_sidecar.scrape.size")
            .baseUnit("bytes")
            .description("Size of the page of a scrape, as sent")
            .register(registry);
    failedSeries =
        Counter.builder("hdr_sidecar.scrape.failed.series")
            .description("Series left out of a scrape because they could not be shown")
            .register(registry);
  }

  void seriesFailed(String series, RuntimeException cause) {
    failedSeries.increment();
    failedThisTime = true;
    if (!failing) {
      failing = true;
      LOG.log(WARNING, "event=scrape_incomplete left_out={0} cause={1}", series, cause);
    }
  }

  void finished(long nanos, long bytes) {
    duration.record(Duration.ofNanos(nanos));
    size.record((double) bytes);
    if (failing && !failedThisTime) {
      failing = false;
      LOG.log(INFO, "event=scrape_complete");
    }
    failedThisTime = false;
  }
}
