package io.hdrsidecar.sidecar.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Of which time intervals are meant; of all when nothing is asked for. */
final class TimeRangeOptions {
  @Option(
      names = {"--start", "-start"},
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description =
          "Intervals that start at this time or later: seconds after the log's StartTime (12.5), "
              + "seconds since 1970 (@1441812279.5) or a time (2015-09-09T15:24:39Z).")
  private @Nullable TimeBound start;

  @Option(
      names = {"--end", "-end"},
      paramLabel = "TIME",
      converter = TimeBound.Converter.class,
      description = "Intervals that start at this time or earlier; written like --start.")
  private @Nullable TimeBound end;

  StartRange range() {
    return new StartRange(start, end);
  }
}
