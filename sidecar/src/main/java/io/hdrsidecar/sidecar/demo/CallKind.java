package io.hdrsidecar.sidecar.demo;

import io.hdrsidecar.interval.Labels;
import java.util.Locale;

/** The two times of a call, and the series each is recorded in. */
enum CallKind {
  /** From the actual start of the call to its end. */
  SERVICE,
  /** From the intended start to the end: the time spent waiting for the start, and the above. */
  RESPONSE;

  static final String SERIES_NAME = "demo_call";
  private static final String LABEL = "kind";

  Labels labels() {
    return Labels.of(LABEL, name().toLowerCase(Locale.ROOT));
  }

  /** Selector of the series in the HTTP API: {@code demo_call{kind="service"}}. */
  String selector() {
    return SERIES_NAME + labels();
  }
}
