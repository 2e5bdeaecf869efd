package io.hdrsidecar.sidecar.statsd;

/** Told of values that are counted as another one, because series hold whole numbers in a range. */
interface ValueChanges {
  /** Below 0, counted as 0. */
  void negative();

  /** Above the highest value of the series, counted as that. */
  void tooLarge();

  /** Between two whole numbers of the series' unit, counted as the nearest. */
  void rounded();
}
