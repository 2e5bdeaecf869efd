package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.files.LogFileBytes;
import io.hdrsidecar.sidecar.files.LogStore;
import io.hdrsidecar.sidecar.limits.RefusedException;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads logs into a {@link LogStore}, once from front to end. What cannot be read at any place
 * later, standard input and gzipped files, is copied to a temporary file while it is read; those
 * are deleted at the end. One thread.
 */
final class ExploredLogs implements Closeable {
  private static final int MAX_NAME_LENGTH = 200;

  private final LogStore logs;
  private final Unit unit;
  private final List<LogFile> files;
  private final Map<LogFile, String> labels = new HashMap<>();
  private final List<Path> copies = new ArrayList<>();

  /**
   * Nothing is read yet.
   *
   * @throws IllegalArgumentException when a file is named twice
   */
  ExploredLogs(LogStore logs, Unit unit, List<LogFile> files) {
    this.logs = logs;
    this.unit = unit;
    this.files = files;
    Set<String> names = new HashSet<>();
    Set<String> baseNames = new HashSet<>();
    boolean baseNamesDiffer = files.stream().allMatch(file -> baseNames.add(file.baseName()));
    for (LogFile file : files) {
      if (!names.add(file.name())) {
        throw new IllegalArgumentException(file.name() + ": is named twice");
      }
      labels.put(file, baseNamesDiffer ? file.baseName() : file.displayName());
    }
  }

  /** Reads everything; what is damaged is told and left out. */
  void readAll(IntervalSelection selection, Messages messages) throws IOException {
    for (LogFile file : files) {
      try {
        read(file, selection, messages);
      } catch (IOException e) {
        messages.warn(String.valueOf(e.getMessage()));
      }
    }
    logs.finish();
  }

  private void read(LogFile file, IntervalSelection selection, Messages messages)
      throws IOException {
    InputStream lines = file.open(messages);
    Path path = Path.of(file.isStandardInput() ? "" : file.name());
    if (!file.isSeekable()) {
      path = Files.createTempFile("hdr-sidecar-explore", ".hlog");
      path.toFile().deleteOnExit();
      copies.add(path);
      lines = new CopyingStream(lines, Files.newOutputStream(path));
    }
    try (LogScan scan = new LogScan(file, lines, selection, messages, true)) {
      LogFileBytes bytes = logs.open(file.displayName(), path);
      while (scan.next()) {
        add(bytes, file, scan);
      }
    }
  }

  private void add(LogFileBytes bytes, LogFile file, LogScan scan) {
    DecodedHistogram histogram = scan.histogram();
    if (histogram == null) {
      scan.refuse("a histogram of floating-point values; only those of integers can be explored");
      return;
    }
    try {
      logs.add(
          bytes,
          scan.histogramOffset(),
          scan.histogramLength(),
          key(file, scan.interval().tag()),
          unit,
          histogram,
          scan.interval().startMillis(),
          scan.interval().endMillis());
    } catch (RefusedException | IllegalArgumentException e) {
      scan.refuse(String.valueOf(e.getMessage()));
    }
  }

  /**
   * A name as metrics have it, from the tag or else from the file; in labels whatever is needed to
   * tell the series apart: the tag where the name cannot spell it or is that of the file, whose
   * intervals without a tag are often the total of all tags; the file where there are several.
   */
  private SeriesKey key(LogFile file, String tag) {
    String ofFile = metricName(withoutExtensions(file.baseName()));
    String spelled = tag.isEmpty() ? ofFile : metricName(tag);
    Labels all = Labels.empty();
    if (!tag.isEmpty() && (!spelled.equals(tag) || spelled.equals(ofFile))) {
      all = all.with("tag", tag);
    }
    if (files.size() > 1) {
      all = all.with("file", labels.getOrDefault(file, file.displayName()));
    }
    return new SeriesKey(spelled, all);
  }

  private static String withoutExtensions(String fileName) {
    return fileName.replaceAll("(?i)\\.gz$", "").replaceAll("\\.[^.]+$", "");
  }

  private static String metricName(String text) {
    String name = text.replaceAll("[^a-zA-Z0-9_:]", "_");
    String begun = name.isEmpty() || Character.isDigit(name.charAt(0)) ? "_" + name : name;
    return begun.substring(0, Math.min(begun.length(), MAX_NAME_LENGTH));
  }

  /** Deletes the copies. */
  @Override
  public void close() throws IOException {
    for (Path copy : copies) {
      Files.deleteIfExists(copy);
    }
  }

  /** Writes down what is read of it. */
  private static final class CopyingStream extends FilterInputStream {
    private final OutputStream copy;

    CopyingStream(InputStream in, OutputStream copy) {
      super(in);
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      if (read >= 0) {
        copy.write(read);
      }
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      if (read > 0) {
        copy.write(target, offset, read);
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        copy.close();
      }
    }
  }
}
