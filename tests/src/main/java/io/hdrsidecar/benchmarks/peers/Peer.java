package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.Versions;
import io.hdrsidecar.benchmarks.peers.measure.ExposedPage;
import java.util.OptionalDouble;

/** Who is measured. */
public enum Peer {
  /** The loop alone. */
  NONE("none", "the loop alone", "records nowhere", Exposed.NOTHING, 1),
  /** client-lib and the sidecar. */
  HDR_SIDECAR(
      "hdr-sidecar",
      "hdr-sidecar",
      Versions.of("hdrsidecar")
          + ", client-lib with its defaults (3 digits, an interval a second) over a Unix socket to"
          + " `serve`, which looks for its own pauses each 10 ms, as in the image. Page compressed at"
          + " level 1; its window of a minute holds the whole run",
      Exposed.WINDOW_GAUGES,
      1e9),
  /** StatsD over UDP. */
  STATSD_UDP(
      "statsd-udp",
      "statsd, UDP",
      "java-dogstatsd-client "
          + Versions.of("dogstatsd")
          + " (queue of 1,048,576, packets of 8,192 bytes, one sender, not blocking, no sampling,"
          + " since counts must be exact; it aggregates counters, gauges and sets, not histograms) to"
          + " statsd_exporter 0.31.0 (read buffer 4 MiB, of which the kernel grants what"
          + " net.core.rmem_max allows; native histograms of factor 1.1 beside the default classic"
          + " buckets). Page compressed by promhttp",
      Exposed.NATIVE,
      1),
  /** The same over a Unix datagram socket. */
  STATSD_UNIX(
      "statsd-unix",
      "statsd, Unix datagrams",
      "the same over a Unix datagram socket",
      Exposed.NATIVE,
      1),
  /** OpenTelemetry. */
  OTLP(
      "otlp",
      "OpenTelemetry",
      "SDK "
          + Versions.of("opentelemetry")
          + ", cumulative exponential histograms (160 buckets), attributes looked up at each event as"
          + " its API has no bound instruments, exported each second (default: 60 s) as OTLP over"
          + " HTTP, not compressed, as by default, to the Collector 0.165.0 without processors, with"
          + " the Prometheus exporter. Page compressed by promhttp",
      Exposed.NATIVE,
      1e9),
  /** Micrometer. */
  MICROMETER(
      "micrometer",
      "Micrometer percentiles",
      "Micrometer "
          + Versions.of("micrometer")
          + ", timers with publishPercentiles(0.5, 0.99, 0.999) with the default precision of 1 digit"
          + " over a minute; more digits are more exact and cost memory. Scraped in process, page not"
          + " compressed",
      Exposed.SUMMARY,
      1e9),
  /** The Prometheus client. */
  CLIENT_JAVA(
      "client_java",
      "Prometheus native",
      "Prometheus client_java "
          + Versions.of("prometheus")
          + ", native histograms with its defaults (schema 5, at most 160 buckets), scraped in"
          + " process, page compressed at level 6",
      Exposed.NATIVE,
      1e9);

  /** How a percentile gets to somebody who asks Prometheus. */
  enum Exposed {
    NOTHING,
    /** A gauge each. */
    WINDOW_GAUGES,
    /** {@code histogram_quantile} over a native histogram. */
    NATIVE,
    /** A summary, and a gauge for the maximum. */
    SUMMARY
  }

  private final String key;
  private final String title;
  private final String about;
  private final Exposed exposed;
  private final double nanosPerUnit;

  Peer(String key, String title, String about, Exposed exposed, double nanosPerUnit) {
    this.key = key;
    this.title = title;
    this.about = about;
    this.exposed = exposed;
    this.nanosPerUnit = nanosPerUnit;
  }

  /** How the command line calls it. */
  public String key() {
    return key;
  }

  /** How tables call it. */
  public String title() {
    return title;
  }

  /** Versions and settings. */
  public String about() {
    return about;
  }

  /** Whether there is nothing to start beside the application. */
  public boolean isInProcess() {
    return this == NONE || this == MICROMETER || this == CLIENT_JAVA;
  }

  /** A quantile of a series, 1 being the maximum, in nanoseconds; empty if the page has none. */
  OptionalDouble quantileNanos(ExposedPage page, String series, double quantile) {
    OptionalDouble value =
        switch (exposed) {
          case NOTHING -> OptionalDouble.empty();
          case WINDOW_GAUGES -> page.windowGauge(series, quantile);
          case NATIVE -> page.nativeQuantile(series, quantile);
          case SUMMARY -> page.summaryQuantile(series, quantile);
        };
    return value.isPresent()
        ? OptionalDouble.of(value.getAsDouble() * nanosPerUnit)
        : OptionalDouble.empty();
  }

  @Override
  public String toString() {
    return key;
  }
}
