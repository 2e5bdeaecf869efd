package io.hdrsidecar.internal.journal;

import io.hdrsidecar.series.Unit;
import java.nio.charset.StandardCharsets;

/** A series in one layout, as lines of the journal need it. Immutable. */
public final class JournalSeries {
  private final SeriesText text;
  private final String definitionText;
  private final byte[] linePrefix;

  /** A series to be written. */
  public JournalSeries(SeriesText text) {
    this.text = text;
    definitionText = text.encode();
    linePrefix = ("Tag=" + text.tag() + ",").getBytes(StandardCharsets.US_ASCII);
  }

  /** What is written of it once in a file. */
  public SeriesText text() {
    return text;
  }

  /** The same as it is written, always the same object. */
  public String definitionText() {
    return definitionText;
  }

  Unit unit() {
    return text.definition().unit();
  }

  /** What each of its lines begins with. */
  byte[] linePrefix() {
    return linePrefix;
  }
}
