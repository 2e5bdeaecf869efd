package io.hdrsidecar.sidecar.expose;

/** How series are spelled on a page. One thread at a time. */
interface SeriesFormat {
  /** Whether native histograms have a place in this format. */
  boolean hasNative();

  /** One label, as it stands among those of a series. */
  void putLabel(String name, String value, Bytes out);

  /** A writer for the two metrics of the series of one name. */
  FamilyWriter family(FamilyText text);
}
