package io.hdrsidecar.sidecar.index;

import java.nio.charset.StandardCharsets;

/**
 * The lines of one series in one file. A file may have several with the same name and labels, of
 * different layouts or beginnings.
 */
final class IndexedSeries {
  private final String text;
  private final LineList lines = new LineList();

  /**
   * Without lines.
   *
   * @param text says which series it is: its definition in a journal, the tag in another log
   */
  IndexedSeries(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  byte[] textBytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  LineList lines() {
    return lines;
  }
}
