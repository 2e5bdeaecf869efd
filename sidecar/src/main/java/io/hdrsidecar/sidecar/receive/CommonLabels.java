package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.limits.RefusedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The labels that a client says once, for all of its series. */
final class CommonLabels {
  static final CommonLabels NONE = new CommonLabels(Labels.empty(), null, Labels.empty());

  private final Labels said;
  private final boolean ofSidecar;
  private final Labels resource;

  private CommonLabels(Labels said, @Nullable Labels told, Labels resource) {
    this.said = said;
    this.ofSidecar = told != null;
    this.resource = resource;
  }

  /**
   * Those of one client. Of where a sidecar below runs, what is kept apart here is among them; a
   * series has that unless it has other labels of these names.
   */
  static CommonLabels of(Frame.Hello hello, ResourceConfig resources) {
    Labels told = hello.resource();
    return new CommonLabels(
        hello.commonLabels(), told, told == null ? Labels.empty() : resources.keptOf(told));
  }

  /** Whether a sidecar said them, which hands on what it merged. */
  boolean areOfSidecar() {
    return ofSidecar;
  }

  /** All of them. */
  Labels all() {
    return missing(said);
  }

  private Labels missing(Labels labels) {
    Labels all = labels;
    for (Map.Entry<String, String> label : resource.asMap().entrySet()) {
      if (all.get(label.getKey()).isEmpty()) {
        all = all.with(label.getKey(), label.getValue());
      }
    }
    return all;
  }

  /**
   * The series with these labels, too.
   *
   * @throws RefusedException when they are too many together, or one is there twice
   */
  SeriesDefinition addTo(SeriesDefinition definition) throws RefusedException {
    try {
      SeriesKey key = definition.key();
      return new SeriesDefinition(
          new SeriesKey(key.name(), missing(key.labels().and(said))),
          definition.unit(),
          definition.help(),
          definition.layout(),
          definition.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          RejectReason.BAD_SERIES, "common labels do not fit: " + e.getMessage());
    }
  }
}
