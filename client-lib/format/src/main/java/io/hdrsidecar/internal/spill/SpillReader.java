package io.hdrsidecar.internal.spill;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.journal.JournalLine;
import io.hdrsidecar.internal.journal.JournalReader;
import io.hdrsidecar.internal.journal.JournalVisitor;
import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a spill file, interval by interval, into frames: the process that picks one up treats it as
 * what its client would have sent. A record that cannot be read costs only itself; the contents
 * tell. Memory is bounded by {@link SpillLimits}. One thread; use once.
 */
public final class SpillReader implements JournalVisitor {
  /** Reads a file without using it. */
  public static final SpillVisitor IGNORING = new Ignoring();

  private final SpillFile file;
  private final SpillLimits limits;
  private final SpillVisitor visitor;
  private final HistogramDecoder decoder;
  private final FrameEncoder frames = new FrameEncoder();

  /** A file may define a series again. */
  private final SpillSeriesIds<SeriesText> told;

  private @Nullable InstanceId instance;
  private Labels commonLabels = Labels.empty();
  private long intervals;
  private long values;
  private long lastMillis;
  private long expected = -1;

  private SpillReader(
      SpillFile file, SpillLimits limits, HistogramDecoder decoder, SpillVisitor visitor) {
    this.file = file;
    this.limits = limits;
    this.decoder = decoder;
    this.visitor = visitor;
    this.told = new SpillSeriesIds<>(visitor, limits.reading().maxDefinitionBytes() / 2);
  }

  /**
   * Reads the file, which must not be larger than the limits say.
   *
   * @param visitor is told what can be read
   */
  public static SpillContents read(SpillFile file, SpillLimits limits, SpillVisitor visitor)
      throws IOException {
    try (HistogramDecoder decoder = new HistogramDecoder(limits.maxCounters())) {
      return new SpillReader(file, limits, decoder, visitor).read();
    }
  }

  private SpillContents read() throws IOException {
    JournalReader reader = new JournalReader(file.path(), file.input(), limits.reading(), this);
    reader.read();
    boolean isWhole = reader.damaged() == 0 && reader.tornAt() < 0 && expected == intervals;
    return new SpillContents(
        instance, commonLabels, intervals, values, lastMillis, reader.damaged(), isWhole, "");
  }

  @Override
  public void interval(JournalLine line) {
    InstanceId sender = line.instance();
    SeriesText series = line.series();
    if (sender == null || (instance != null && !instance.equals(sender))) {
      throw new IllegalArgumentException("an interval of nobody, or of another instance");
    }
    if (series == null) {
      throw new IllegalArgumentException("series is not defined");
    }
    instance = sender;
    Integer known = told.idOf(series);
    int id = known == null ? told.tell(series, series.definition()) : known;
    if (series.definition().counters() > limits.maxCounters()) {
      intervals++;
      visitor.tooLarge(sender, line.sequence(), id);
      return;
    }
    line.decode(decoder);
    long counted = line.histogram().counts().total();
    values += counted;
    lastMillis = Math.max(lastMillis, line.endMillis());
    byte[] frame =
        frames.interval(line.sequence(), id, header(line, counted), line.payload()).take();
    intervals++;
    visitor.interval(sender, line.sequence(), id, counted, frame);
  }

  private static IntervalHeader header(JournalLine line, long values) {
    return new IntervalHeader(line.startMillis(), line.endMillis(), values, line.sumMinMax());
  }

  @Override
  public void commonLabels(Labels labels) {
    commonLabels = labels;
  }

  @Override
  public void end(long lines, long lastRecord) {
    expected = lines;
  }

  @Override
  public void goodbye(InstanceId leaving, long record) {
    throw new IllegalArgumentException("who says GOODBYE has nothing left to spill");
  }

  @Override
  public void seriesEnd(SeriesText ended, long record) {
    throw new IllegalArgumentException("a series ends in a journal, not in a spill file");
  }

  private static final class Ignoring implements SpillVisitor {
    @Override
    public void series(int id, SeriesDefinition definition) {}

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {}

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {}
  }
}
