package io.hdrsidecar.sidecar.expose;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;

/**
 * How a scraper wants its page. Pages of equal formats are the same bytes at the same moment.
 *
 * @param writer of the sidecar's own metrics
 * @param escaping of names
 * @param gzip whether it is compressed
 */
public record PageFormat(ExpositionFormatWriter writer, EscapingScheme escaping, boolean gzip) {
  /** Format and version, for the answer's head. */
  public String contentType() {
    return writer.getContentType() + escaping.toHeaderFormat();
  }
}
