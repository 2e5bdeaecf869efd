package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.topic.FleetSeries;

/** What a commit has done to a series: what it has counted, or that it has ended. */
sealed interface CommittedChange permits MergedSeries, CommittedChange.Ended {
  /** Which one. */
  FleetSeries series();

  /** It had no interval for long. */
  record Ended(FleetSeries series) implements CommittedChange {}
}
