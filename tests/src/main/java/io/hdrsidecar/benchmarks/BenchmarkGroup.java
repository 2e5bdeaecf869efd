package io.hdrsidecar.benchmarks;

import org.openjdk.jmh.runner.RunnerException;

/** Benchmarks that make one table. */
public interface BenchmarkGroup {
  /** How the command line calls it. */
  String name();

  /** One line on what is measured, and in what unit. */
  String about();

  /**
   * Measures, and prints progress on the way.
   *
   * @return the table, in Markdown
   */
  String measure(Effort effort) throws RunnerException;
}
