package io.hdrsidecar.sidecar.cli;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import org.HdrHistogram.HistogramLogWriter;

/** HdrHistogram's writer, which has a {@code close} but is not AutoCloseable. */
final class ClosingLogWriter extends HistogramLogWriter implements AutoCloseable {
  ClosingLogWriter(Path log) throws FileNotFoundException {
    super(log.toFile());
  }
}
