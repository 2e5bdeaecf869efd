package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.window.WindowSpec;
import java.util.List;

/** How series are spelled on a page. One thread at a time. */
interface SeriesFormat {
  /** Whether native histograms have a place in this format. */
  boolean hasNative();

  /** One label, as it stands among those of a series. */
  void putLabel(String name, String value, Bytes out);

  /** The label that names a quantile, of each in turn. */
  default byte[][] quantileLabels(ExposeConfig config) {
    Quantiles names = new Quantiles(config.quantiles());
    byte[][] labels = new byte[names.size()][];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = label("quantile", names.labelAt(i));
    }
    return labels;
  }

  /** The label that names a window, of each in turn. */
  default byte[][] windowLabels(List<WindowSpec> windows) {
    return windows.stream().map(spec -> label("window", spec.name())).toArray(byte[][]::new);
  }

  private byte[] label(String name, String value) {
    Bytes label = new Bytes();
    putLabel(name, value, label);
    return label.toByteArray();
  }

  /** A writer for the two metrics of the series of one name. */
  FamilyWriter family(FamilyText text);
}
