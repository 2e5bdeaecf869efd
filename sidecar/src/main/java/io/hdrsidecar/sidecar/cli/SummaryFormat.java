package io.hdrsidecar.sidecar.cli;

/** What a summary looks like. */
enum SummaryFormat {
  /** Count, period, throughput and some percentiles, a line each. */
  PERCENTILES("txt"),
  /** HdrHistogram's percentile distribution, for its plotters. */
  HGRM("hgrm"),
  /** The same as CSV. */
  CSV("csv"),
  /** Counts of buckets of equal width, as CSV. */
  BUCKETS("csv");

  private final String extension;

  SummaryFormat(String extension) {
    this.extension = extension;
  }

  String extension() {
    return extension;
  }
}
