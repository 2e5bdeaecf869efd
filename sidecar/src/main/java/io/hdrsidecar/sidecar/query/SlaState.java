package io.hdrsidecar.sidecar.query;

import java.util.Locale;

/** How a service level agreement stands, from good to bad. */
public enum SlaState {
  /** Every row is met in every window that has values. */
  MET,
  /** There is no verdict: nothing was counted in any window, or it could not be judged. */
  UNKNOWN,
  /** A row is not met in some window. */
  VIOLATED;

  /** As it stands in answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
