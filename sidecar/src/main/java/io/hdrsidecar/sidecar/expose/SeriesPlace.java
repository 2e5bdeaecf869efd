package io.hdrsidecar.sidecar.expose;

/**
 * A place among the series of a page.
 *
 * @param family whose turn it is, by its name; those before it are done
 * @param quantiles whether its histograms are done, too
 * @param after number of the last of its series that was written; those after it follow
 * @param headed whether the head of this part of the family was written
 */
record SeriesPlace(String family, boolean quantiles, long after, boolean headed) {
  /** Before all series. */
  static final SeriesPlace START = new SeriesPlace("", false, -1, false);

  /** The beginning of a family. */
  static SeriesPlace startOf(String family) {
    return new SeriesPlace(family, false, -1, false);
  }

  SeriesPlace quantilesBegin() {
    return new SeriesPlace(family, true, -1, false);
  }

  SeriesPlace behind(long number, boolean nowHeaded) {
    return new SeriesPlace(family, quantiles, number, nowHeaded);
  }
}
