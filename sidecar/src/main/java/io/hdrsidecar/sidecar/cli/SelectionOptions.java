package io.hdrsidecar.sidecar.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which intervals of the logs are meant. */
final class SelectionOptions {
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

  @Option(
      names = "--include-tag",
      paramLabel = "REGEX",
      description =
          "Only tags that match this RE2 expression as a whole; may be repeated. "
              + "Intervals without a tag have the empty one: --include-tag ''.")
  private List<String> includedTags = new ArrayList<>();

  @Option(
      names = "--exclude-tag",
      paramLabel = "REGEX",
      description = "No tags that match this expression; may be repeated.")
  private List<String> excludedTags = new ArrayList<>();

  Selection selection(OmissionCorrection correction) {
    return new Selection(
        new TimeRange(start, end), TagFilter.of(includedTags, excludedTags), correction);
  }
}
