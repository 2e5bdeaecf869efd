package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.series.Labels;
import java.util.Locale;

/**
 * The two times of a call that the demo shows side by side, of the three that {@link
 * io.hdrsidecar.client.schedule.ScheduledRecorder} records; the third, {@code kind="wait"}, is
 * their difference.
 */
enum CallKind {
  /** From the actual start of the call to its end. */
  SERVICE,
  /** From the intended start to the end: the time spent waiting for the start, and the above. */
  RESPONSE;

  static final String SERIES_NAME = "demo_call";
  private static final String LABEL = "kind";

  /** Selector of the series in the HTTP API: {@code demo_call{kind="service"}}. */
  String selector() {
    return SERIES_NAME + Labels.of(LABEL, name().toLowerCase(Locale.ROOT));
  }
}
