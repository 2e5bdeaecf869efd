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
   * series has that unless it has other labels of these names, or as many as there may be.
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
      if (all.get(label.getKey()).isEmpty() && all.size() < Labels.MAX_LABELS) {
        all = all.with(label.getKey(), label.getValue());
      }
    }
    return all;
  }

  /**
   * The labels of a series and those that its client has said, without those that are kept of where
   * a sidecar runs.
   *
   * @throws RefusedException when they are too many together, or one is there twice
   */
  Labels addSaidTo(SeriesDefinition definition) throws RefusedException {
    try {
      return definition.key().labels().and(said);
    } catch (IllegalArgumentException e) {
      throw doNotFit(e);
    }
  }

  /**
   * The series with all labels.
   *
   * @param own what {@link #addSaidTo} gave
   * @throws RefusedException when they are too many together
   */
  SeriesDefinition addTo(SeriesDefinition definition, Labels own) throws RefusedException {
    try {
      return new SeriesDefinition(
          new SeriesKey(definition.key().name(), missing(own)),
          definition.unit(),
          definition.help(),
          definition.layout(),
          definition.highestTrackableValue());
    } catch (IllegalArgumentException e) {
      throw doNotFit(e);
    }
  }

  private static RefusedException doNotFit(IllegalArgumentException e) {
    return new RefusedException(
        RejectReason.BAD_SERIES, "common labels do not fit: " + e.getMessage());
  }
}
