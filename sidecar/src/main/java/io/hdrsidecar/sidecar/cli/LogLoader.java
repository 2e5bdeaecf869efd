package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.files.LogFileBytes;
import io.hdrsidecar.sidecar.files.LogStore;
import io.hdrsidecar.sidecar.input.CauseText;
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
import org.jspecify.annotations.Nullable;

/**
 * Loads logs into a {@link LogStore}, once from front to end. What cannot be read at any place
 * later, standard input and gzipped files, is copied to a temporary file while it is read; those
 * are deleted at the end. One thread.
 */
final class LogLoader implements Closeable {
  private static final int MAX_NAME_LENGTH = 200;
  private static final String ADVICE = "explore them apart, or say --unit if all have the same";

  private final LogStore logs;
  private final @Nullable Unit given;
  private final List<LogInput> files;
  private final Map<LogInput, String> labels = new HashMap<>();
  private final List<Path> copies = new ArrayList<>();

  /** By name of series: the explorer shows all of a name together. */
  private final Map<String, CommonUnit> units = new HashMap<>();

  private boolean isUnitAssumed;

  /**
   * Nothing is read yet.
   *
   * @param given the unit of all values, whatever logs say; null to take it from them
   * @throws IllegalArgumentException when a file is named twice
   */
  LogLoader(LogStore logs, @Nullable Unit given, List<LogInput> files) {
    this.logs = logs;
    this.given = given;
    this.files = files;
    Set<String> names = new HashSet<>();
    Set<String> baseNames = new HashSet<>();
    boolean baseNamesDiffer = files.stream().allMatch(file -> baseNames.add(file.baseName()));
    for (LogInput file : files) {
      if (!names.add(file.name())) {
        throw new IllegalArgumentException(file.name() + ": is named twice");
      }
      labels.put(file, baseNamesDiffer ? file.baseName() : file.displayName());
    }
  }

  /** Reads everything; what is damaged is told and left out. */
  void readAll(IntervalSelection selection, Messages messages) throws IOException {
    for (LogInput file : files) {
      try {
        read(file, selection, messages);
      } catch (IOException e) {
        messages.warn(CauseText.of(e));
      }
    }
    logs.finish();
    if (isUnitAssumed) {
      messages.note(
          "not every log says the unit of its values; where none is said, ns is assumed:"
              + " --unit says another");
    }
  }

  private void read(LogInput file, IntervalSelection selection, Messages messages)
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

  private void add(LogFileBytes bytes, LogInput file, LogScan scan) {
    DecodedHistogram histogram = scan.histogram();
    if (histogram == null) {
      scan.refuse("a histogram of floating-point values; only those of integers can be explored");
      return;
    }
    SeriesKey key = key(file, scan.interval().tag());
    Unit unit = unit(key.name(), scan);
    if (unit == null) {
      return;
    }
    try {
      logs.add(
          bytes,
          scan.histogramOffset(),
          scan.histogramLength(),
          key,
          unit,
          histogram,
          scan.interval().startMillis(),
          scan.interval().endMillis());
    } catch (RefusedException | IllegalArgumentException e) {
      scan.refuse(String.valueOf(e.getMessage()));
    }
  }

  /** Null when other values of that name have another unit, which has been told then. */
  private @Nullable Unit unit(String name, LogScan scan) {
    CommonUnit unit =
        units.computeIfAbsent(name, key -> new CommonUnit(given, ADVICE, Unit.NANOSECONDS));
    isUnitAssumed |= unit.unit() == null && scan.unit() == null;
    return unit.accepts(scan) ? unit.unit() : null;
  }

  /**
   * A name as metrics have it, from the tag or else from the file; in labels whatever is needed to
   * tell the series apart: the tag where the name cannot spell it or is that of the file, whose
   * intervals without a tag are often the total of all tags; the file where there are several.
   */
  private SeriesKey key(LogInput file, String tag) {
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
