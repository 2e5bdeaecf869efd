package io.hdrsidecar.sidecar.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which intervals of the logs are meant. */
final class SelectionOptions {
  @Mixin private TimeRangeOptions time = new TimeRangeOptions();

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

  IntervalSelection selection(OmissionCorrection correction) {
    return new IntervalSelection(
        time.range(), TagFilter.of(includedTags, excludedTags), correction);
  }
}
