package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.ALIVE_EVERY_MILLIS;
import static io.hdrsidecar.internal.crash.CrashLayout.ALIVE_MILLIS;
import static io.hdrsidecar.internal.crash.CrashLayout.BLOCK_HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_FRAME;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_STATE;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_TAKEN_BACK;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_WHOLE;
import static io.hdrsidecar.internal.crash.CrashLayout.HELLO;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_HELLO;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_OUTBOX;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_SERIES;
import static io.hdrsidecar.internal.crash.CrashLayout.NEXT_SEQUENCE;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX_HEAD;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX_TAIL;
import static io.hdrsidecar.internal.crash.CrashLayout.SKIP;
import static io.hdrsidecar.internal.crash.CrashLayout.entryBytes;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillSeriesIds;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.FrameType;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads what a dead process has left, as intervals with numbers: first the frames that were not
 * settled, as they are, then of each series what was counted and not framed. The same file gives
 * the same intervals under the same numbers each time, so a reader that dies over it is followed by
 * somebody who goes on.
 *
 * <p>Definitions of its series are told as they are needed, and forgotten when there are too many
 * at once: so a process with little memory reads what one with much of it had recorded.
 *
 * <p>A file is taken whole or not at all: where one offset, frame or block is damaged, nobody can
 * say what else is. Counters have no checksum; what was written into them by somebody else is
 * counted.
 */
public final class CrashReader {
  private final CrashImage image;
  private final SpillLimits limits;
  private final long nowMillis;
  private final SpillVisitor visitor;
  private final FrameEncoder frames = new FrameEncoder();

  /** By the offset of their block. */
  private final SpillSeriesIds<Integer> told;

  private final long mostToldBytes;

  private long intervals;
  private long values;
  private long lastMillis;
  private long nextSequence;

  private CrashReader(CrashImage image, SpillLimits limits, long nowMillis, SpillVisitor visitor) {
    this.image = image;
    this.limits = limits;
    this.nowMillis = nowMillis;
    this.visitor = visitor;
    this.mostToldBytes = limits.reading().maxDefinitionBytes() / 2; // The rest is the index's.
    this.told = new SpillSeriesIds<>(visitor, mostToldBytes);
  }

  /**
   * Reads a file whose process is dead.
   *
   * @param nowMillis no interval ends later
   * @param visitor is told what is in it; of a damaged file maybe a part
   * @return not whole when it is damaged, with the reason
   */
  public static SpillContents read(
      SpillFile file, SpillLimits limits, long nowMillis, SpillVisitor visitor) throws IOException {
    try {
      CrashImage image = new CrashImage(file);
      if (!image.isToBeCounted()) {
        return new SpillContents(null, Labels.empty(), 0, 0, 0, 0, true, "");
      }
      return new CrashReader(image, limits, nowMillis, visitor).read();
    } catch (DamagedException | MalformedFrameException | IllegalArgumentException e) {
      return SpillContents.unusable(String.valueOf(e.getMessage()));
    }
  }

  private SpillContents read() throws IOException, MalformedFrameException {
    Frame.Hello hello = hello();
    InstanceId instance = hello.instance();
    nextSequence = image.longAt(NEXT_SEQUENCE);
    if (nextSequence < 1) {
      throw new DamagedException("no number can be next: " + nextSequence);
    }
    Labels common = hello.commonLabels();
    CrashFileIndex index =
        CrashFileIndex.of(image, mostSeries(), block -> definition(block, common).counters());
    readOutbox(instance, common, index);
    for (int place = 0; place < index.size(); place++) {
      readLast(instance, common, index.bySize(place));
    }
    return new SpillContents(
        instance, hello.commonLabels(), intervals, values, lastMillis, 0, true, "");
  }

  private int mostSeries() {
    long bytes = limits.reading().maxDefinitionBytes() - mostToldBytes;
    return (int) Math.min(bytes / CrashFileIndex.BYTES_OF_A_SERIES, Integer.MAX_VALUE);
  }

  private Frame.Hello hello() throws IOException, MalformedFrameException {
    int block = image.intAt(HELLO);
    int length = image.number(block, KIND_HELLO, 0);
    FrameDecoder found = frame(block + BLOCK_HEADER_BYTES, length);
    if (found.type() == FrameType.HELLO && found.frame() instanceof Frame.Hello hello) {
      return hello;
    }
    throw new DamagedException("HELLO is expected at " + block);
  }

  /** Each frame has a checksum of its own. */
  private FrameDecoder frame(int offset, int length) throws IOException, MalformedFrameException {
    if (length > limits.reading().maxLineBytes()) {
      throw new DamagedException("a frame cannot have " + length + " bytes");
    }
    FrameDecoder decoder = new FrameDecoder(Math.max(length, 1));
    if (!decoder.next(image.read(offset, length).order(ByteOrder.BIG_ENDIAN))) {
      throw new DamagedException("a frame is not whole at " + offset);
    }
    return decoder;
  }

  private SeriesDefinition definition(int block, Labels common)
      throws IOException, MalformedFrameException {
    int length = image.number(block, KIND_SERIES, 0);
    FrameDecoder found = frame(block + CONTENT, length);
    if (found.type() == FrameType.SERIES && found.frame() instanceof Frame.Series series) {
      return with(common, series.definition());
    }
    throw new DamagedException("SERIES is expected at " + block);
  }

  private static SeriesDefinition with(Labels common, SeriesDefinition sent) {
    return new SeriesDefinition(
        new SeriesKey(sent.key().name(), sent.key().labels().and(common)),
        sent.unit(),
        sent.help(),
        sent.layout(),
        sent.highestTrackableValue());
  }

  private void readOutbox(InstanceId instance, Labels common, CrashFileIndex index)
      throws IOException, MalformedFrameException {
    int block = image.headerInt(OUTBOX);
    int length = image.number(block, KIND_OUTBOX, 0) - CONTENT;
    long head = image.longAt(OUTBOX_HEAD);
    long tail = image.longAt(OUTBOX_TAIL);
    if (length <= 0
        || length > CrashPlace.OUTBOX_BYTES
        || head < 0
        || tail < head
        || tail - head > length
        || head % 8 != 0) {
      throw new DamagedException("the outbox cannot be from " + head + " to " + tail);
    }
    long last = 0;
    while (head < tail) {
      int place = (int) (head % length);
      int entry = block + CONTENT + place;
      int bytes = image.intAt(entry);
      if (bytes == SKIP) {
        head += length - place;
      } else if (bytes < 1 || bytes > length - place - ENTRY_FRAME) {
        throw new DamagedException("a frame cannot have " + bytes + " bytes");
      } else {
        head += entryBytes(bytes);
        if (isWhole(entry)) {
          int series = image.intAt(entry + ENTRY_SERIES);
          if (!index.contains(series)) {
            throw new DamagedException("a frame of no series at " + entry);
          }
          Integer known = told.idOf(series);
          int id = known == null ? tell(series, definition(series, common)) : known;
          last = readEntry(instance, id, entry, bytes, last);
        }
      }
    }
    nextSequence = Math.max(nextSequence, last + 1);
  }

  private boolean isWhole(int entry) throws IOException {
    ByteBuffer described = image.read(entry, ENTRY_FRAME);
    int state = described.getInt(ENTRY_STATE);
    if (described.getInt(ENTRY_CRC) != CrashLayout.crc(described, 0, ENTRY_CRC)
        || (state != ENTRY_WHOLE && state != ENTRY_TAKEN_BACK)) {
      throw new DamagedException("an entry of the outbox is damaged at " + entry);
    }
    return state == ENTRY_WHOLE;
  }

  private int idOf(int series, SeriesDefinition definition) throws DamagedException {
    Integer id = told.idOf(series);
    return id == null ? tell(series, definition) : id;
  }

  private int tell(int series, SeriesDefinition definition) throws DamagedException {
    long bytes = definition.heapBytes();
    if (bytes > mostToldBytes) {
      throw new DamagedException(
          "the definition of "
              + definition.key().name()
              + " takes more than "
              + mostToldBytes
              + " bytes of the heap; give more heap");
    }
    return told.tell(series, definition);
  }

  private long readEntry(InstanceId instance, int id, int entry, int bytes, long last)
      throws IOException, MalformedFrameException {
    FrameDecoder decoder = frame(entry + ENTRY_FRAME, bytes);
    ByteBuffer bytesOfFrame = image.read(entry + ENTRY_FRAME, bytes);
    IntervalFrame found = new IntervalFrame();
    decoder.interval(found);
    if (found.sequence() <= last) {
      throw new DamagedException("a frame is out of order: " + found.sequence());
    }
    IntervalHeader header =
        new IntervalHeader(
            found.startMillis(), found.endMillis(), found.count(), found.sumMinMax());
    ByteBuffer payload = bytesOfFrame.slice(found.payloadOffset(), found.payloadLength());
    give(instance, id, found.sequence(), header, payload);
    return found.sequence();
  }

  private void give(
      InstanceId instance, int id, long sequence, IntervalHeader header, ByteBuffer payload) {
    byte[] frame = frames.interval(sequence, id, header, payload).take();
    intervals++;
    values += header.count();
    lastMillis = Math.max(lastMillis, header.endMillis());
    visitor.interval(instance, sequence, id, header.count(), frame);
  }

  private void readLast(InstanceId instance, Labels common, int series)
      throws IOException, MalformedFrameException {
    SeriesDefinition definition = definition(series, common);
    if (definition.counters() > limits.maxCounters()) {
      visitor.tooLarge(instance, nextSequence++, idOf(series, definition));
      intervals++;
      return;
    }
    UnframedCounts left = new UnframedCounts(image, series, definition);
    long alive = image.longAt(ALIVE_MILLIS);
    long end = Math.min(nowMillis, alive + Math.max(0, image.longAt(ALIVE_EVERY_MILLIS)));
    for (UnframedCounts.CountedPart part : left.rest()) {
      long start = Math.min(left.startMillis(), end);
      IntervalHeader header = new IntervalHeader(start, end, part.count(), part.sumMinMax());
      give(instance, idOf(series, definition), nextSequence++, header, part.payload());
    }
  }
}
