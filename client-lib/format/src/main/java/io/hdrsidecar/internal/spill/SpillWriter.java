package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.journal.JournalEntry;
import io.hdrsidecar.internal.journal.JournalFileWriter;
import io.hdrsidecar.internal.journal.JournalSeries;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.journal.TextBuffer;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes one spill file, as {@link io.hdrsidecar.internal.journal.JournalFormat} draws it. Nothing
 * counts before {@link #complete}; closed without it, nothing is left. One thread.
 */
public final class SpillWriter implements AutoCloseable {
  private static final int WRITE_BYTES = 256 << 10;

  /** Definitions that a reader has to keep at a time: of a hundred series. One may have little. */
  private static final int DEFINED_BYTES = 64 << 10;

  /** How many names more are tried where the first is taken. */
  private static final int NAMES = 9;

  private final SpillFolder folder;
  private final InstanceId instance;
  private final Labels commonLabels;
  private final Instant now;
  private final Path complete;
  private final Path temporary;
  private final JournalFileWriter file;
  private final JournalEntry entry = new JournalEntry();
  private final Map<SeriesDefinition, JournalSeries> series = new HashMap<>();
  private boolean isPublished;

  private SpillWriter(
      SpillFolder folder, InstanceId instance, Labels commonLabels, Instant now, Path complete)
      throws IOException {
    this.folder = folder;
    this.instance = instance;
    this.commonLabels = commonLabels;
    this.now = now.truncatedTo(ChronoUnit.MILLIS);
    this.complete = complete;
    this.temporary = SpillFolder.temporary(complete);
    this.file =
        JournalFileWriter.createNew(
            temporary, new TextBuffer(), this.now.toEpochMilli(), 1, folder.ownersAlone());
  }

  /**
   * Begins a file.
   *
   * @param commonLabels of all series of the instance; the definitions below come without them
   * @throws IOException when the folder is missing, cannot be written to, or has something under
   *     each name that the file may get
   */
  public static SpillWriter begin(
      SpillFolder folder, InstanceId instance, Labels commonLabels, Instant now)
      throws IOException {
    SpillWriter writer = create(folder, instance, commonLabels, now);
    try {
      folder.protect(writer.temporary);
      writer.file.commonLabels(commonLabels);
    } catch (IOException e) {
      writer.close();
      throw e;
    }
    return writer;
  }

  /** Under another second where something has the name already; that is not touched. */
  private static SpillWriter create(
      SpillFolder folder, InstanceId instance, Labels commonLabels, Instant now)
      throws IOException {
    for (int seconds = 0; ; seconds++) {
      Path complete = folder.complete(instance, now.plusSeconds(seconds));
      try {
        return new SpillWriter(folder, instance, commonLabels, now, complete);
      } catch (FileAlreadyExistsException e) {
        if (seconds == NAMES) {
          throw e;
        }
      }
    }
  }

  /**
   * Appends an interval.
   *
   * @param definition as it was or would have been sent
   * @param frame figures and sequence number
   * @param payload HdrHistogram V2, raw or compressed, in an array
   */
  public void interval(SeriesDefinition definition, IntervalFrame frame, ByteBuffer payload)
      throws IOException {
    entry.record = file.lines() + 1;
    entry.sequence = frame.sequence();
    entry.startMillis = frame.startMillis();
    entry.endMillis = frame.endMillis();
    entry.sumMinMax.set(frame.sumMinMax());
    entry.payload = payload;
    file.interval(entry, series.computeIfAbsent(definition, this::written), instance);
    if (file.definedBytes() > DEFINED_BYTES) {
      file.forgetSeries();
      series.clear();
    }
    if (file.unwrittenBytes() >= WRITE_BYTES) {
      file.write();
    }
  }

  /** With the common labels, so that other tools can tell series of several clients apart. */
  private JournalSeries written(SeriesDefinition sent) {
    SeriesKey key = sent.key();
    return new JournalSeries(
        new SeriesText(
            new SeriesDefinition(
                new SeriesKey(key.name(), key.labels().and(commonLabels)),
                sent.unit(),
                sent.help(),
                sent.layout(),
                sent.highestTrackableValue()),
            now));
  }

  /**
   * Ends the file, waits for the disk, and gives the file its name.
   *
   * @return where it is
   */
  public Path complete() throws IOException {
    file.end(file.lines());
    file.write();
    file.force();
    file.close();
    folder.publish(temporary, complete);
    isPublished = true;
    return complete;
  }

  /** Deletes what was written, unless it is complete. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      if (!isPublished) {
        Files.deleteIfExists(temporary);
      }
    }
  }
}
