package io.hdrsidecar.sidecar.expose;

/**
 * Writes the two metrics of all series of one name: histograms first, then the quantiles of their
 * windows. Each series is committed by the caller, or rolled back.
 */
interface FamilyWriter {
  /**
   * Before the first histogram of a piece of the page.
   *
   * @param headed whether a piece before it has begun them
   */
  void beginHistograms(PageBytes page, boolean headed);

  /** A series' counts since start. */
  void histogram(EncodedLabels labels, HistogramReading reading, Bytes out);

  /** After the last histogram of a piece, if there was one. */
  void endHistograms(PageBytes page);

  /**
   * Before the first quantile of a piece of the page.
   *
   * @param headed whether a piece before it has begun them
   */
  void beginQuantiles(PageBytes page, boolean headed);

  /**
   * One quantile of a window.
   *
   * @param quantile the number of the quantile
   * @param window the number of the window
   * @param value in the base unit
   */
  void quantile(EncodedLabels labels, int quantile, int window, double value, Bytes out);

  /** After the last quantile of a piece, if there was one. */
  void endQuantiles(PageBytes page);
}
