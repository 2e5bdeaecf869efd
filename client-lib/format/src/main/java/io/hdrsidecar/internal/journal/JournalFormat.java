package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of journal files, checkpoints and spill files: an HdrHistogram interval log of
 * format 1.3, whose comments say what an interval line cannot. All numbers in our comments are
 * hexadecimal, and each ends with a CRC-32C of eight digits.
 *
 * <pre>
 * #[Histogram log format version 1.3]
 * #[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]
 * #[BaseTime: 0.000 (seconds since epoch)]
 * #[Written by hdr-sidecar since 2023-11-14T22:13:20Z]
 * "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
 * #J version first-record crc                         what follows is ours; one for each file
 * #S series part parts text crc                       a series, on as many lines as it takes
 * #I instance id crc                                  a client process
 * #R record series instance sequence sum min max crc  the line below; the CRC covers it too
 * Tag=checkout{route=/pay},1700000001.000,1.000,2.769,HISTFAAA...
 * #B left text                                        or the line below in parts, see there
 * #G record instance crc                              that client said GOODBYE
 * #X record series crc                                that series ended and begins anew from 0
 * #N millis uptime boot crc                           when what follows was written
 * </pre>
 *
 * and in a checkpoint, instead of {@code #R} and {@code #G}:
 *
 * <pre>
 * #T record series intervals sum min max idle crc     total of a series up to that record: below
 * #Q id sequence millis goodbye away crc              a client's last number; its silence until then
 * #E lines last-record crc                            the end; without it the file is not whole
 * </pre>
 *
 * <p>Times of intervals are those of clients. By {@code #N} a reader knows how long ago a record
 * was written: millis are of the wall clock, uptime is for how many milliseconds the machine runs,
 * since the start that boot names. Idle is for how many milliseconds the series had no interval by
 * then.
 *
 * <p>A series may have several definitions, one for each layout and one for each time it began;
 * {@code #X} names any of them and is about all that have its name and labels.
 *
 * <p>and in a spill file, of one client, {@code #I}, {@code #S}, {@code #R} and {@code #E}, and
 * before them the labels that all of its series have, on as many lines as it takes; and where the
 * definitions so far need no longer be kept:
 *
 * <pre>
 * #C part parts text crc                              label.pod=x label.zone=y
 * #F series crc                                       lower numbers of series do not come again
 * </pre>
 *
 * <p>Buckets that are not HdrHistogram's, those of OpenTelemetry, have no place in an interval
 * line. Their line has the same fields with a {@link BucketsPayload} as the last. It follows {@code
 * #R} or {@code #T} in as many {@code #B} as it takes, each of which says how many are left; the
 * CRC before covers them all. To other readers they are comments.
 *
 * <p>Numbers of series and instances mean something within one file only. A sum estimated from
 * buckets starts with {@code ~}. Base time 0 makes times absolute for every reader: without it, a
 * line more than a year before the start time would make them all relative. Start time 0, too: some
 * readers (Python's, unless told otherwise) leave out intervals that begin before it, as the first
 * ones of each file do, and those of a client that was away.
 *
 * <p>Readers want the histogram as a zlib stream, and deflating is what costs. So the stream is one
 * of stored blocks: the V2 bytes, which are compact already, with a header and an Adler-32 around.
 */
public final class JournalFormat {
  static final int VERSION = 1;

  /** The last millisecond of the year 9999: readers take no later time. */
  static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final int COMPRESSED_COOKIE = 0x1c849314;
  private static final int ZLIB_HEADER = 0x7801;
  private static final int MAX_STORED = 0xffff;
  private static final int DEFINITION_CHUNK = 88;
  private static final byte[] LEGEND =
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final TextBuffer out;
  private final Adler32 adler = new Adler32();
  private ByteBuffer stored = ByteBuffer.allocate(4096);
  private @Nullable TextBuffer cut;

  JournalFormat(TextBuffer out) {
    this.out = out;
  }

  TextBuffer out() {
    return out;
  }

  void header(long begunMillis, long firstRecord) {
    out.put("#[Histogram log format version 1.3]\n#[StartTime: 0.000 (seconds since epoch), ")
        .put(Instant.EPOCH.toString())
        .put("]\n#[BaseTime: 0.000 (seconds since epoch)]\n#[Written by hdr-sidecar since ")
        .put(Instant.ofEpochMilli(begunMillis).toString())
        .put("]\n")
        .put(LEGEND);
    int start = out.size();
    out.put("#J ").hex(VERSION).hex(firstRecord).endComment(start);
  }

  void series(int number, String text) {
    int parts = parts(text);
    for (int part = 1; part <= parts; part++) {
      int start = out.size();
      out.put("#S ").hex(number);
      part(start, text, part, parts);
    }
  }

  void commonLabels(Labels labels) {
    String text = SeriesText.encode(labels);
    int parts = parts(text);
    for (int part = 1; part <= parts; part++) {
      int start = out.size();
      out.put("#C ");
      part(start, text, part, parts);
    }
  }

  void forget(int firstKept) {
    int start = out.size();
    out.put("#F ").hex(firstKept).endComment(start);
  }

  private static int parts(String text) {
    return (text.length() + DEFINITION_CHUNK - 1) / DEFINITION_CHUNK;
  }

  private void part(int start, String text, int part, int parts) {
    int to = Math.min(text.length(), part * DEFINITION_CHUNK);
    out.hex(part).hex(parts).put(text.substring((part - 1) * DEFINITION_CHUNK, to));
    out.put(' ').endComment(start);
  }

  void instance(int number, InstanceId id) {
    int start = out.size();
    out.put("#I ").hex(number).put(id.digits()).put(' ').endComment(start);
  }

  void goodbye(long record, int instance) {
    int start = out.size();
    out.put("#G ").hex(record).hex(instance).endComment(start);
  }

  void seriesEnd(long record, int series) {
    int start = out.size();
    out.put("#X ").hex(record).hex(series).endComment(start);
  }

  void sequence(
      InstanceId id, long sequence, long nowMillis, long awayMillis, boolean saidGoodbye) {
    int start = out.size();
    out.put("#Q ").put(id.digits()).put(' ').hex(sequence).hex(nowMillis - awayMillis);
    out.hex(saidGoodbye ? 1 : 0).hex(awayMillis).endComment(start);
  }

  void time(long wallMillis, long uptimeMillis, String boot) {
    int start = out.size();
    out.put("#N ").hex(wallMillis).hex(uptimeMillis).put(boot.isEmpty() ? "-" : boot);
    out.put(' ').endComment(start);
  }

  void end(long lines, long lastRecord) {
    int start = out.size();
    out.put("#E ").hex(lines).hex(lastRecord).endComment(start);
  }

  /** An interval; {@code lineFrom} is where its comment starts. */
  void interval(JournalEntry entry, JournalSeries series, int seriesNumber, int instance) {
    int start = out.size();
    out.put("#R ").hex(entry.record).hex(seriesNumber).hex(instance).hex(entry.sequence);
    figures(entry);
    line(start, entry, series);
  }

  /** A total of {@code entry.sequence} intervals. */
  void total(JournalEntry entry, JournalSeries series, int seriesNumber) {
    int start = out.size();
    out.put("#T ").hex(entry.record).hex(seriesNumber).hex(entry.sequence);
    figures(entry);
    out.hex(entry.idleMillis);
    line(start, entry, series);
  }

  private void figures(JournalEntry entry) {
    if (!entry.sumMinMax.isSumExact()) {
      out.put('~');
    }
    ExactSum sum = entry.sumMinMax.sum();
    out.hex(sum.high(), sum.low()).hex(entry.sumMinMax.min()).hex(entry.sumMinMax.max());
  }

  private void line(int commentStart, JournalEntry entry, JournalSeries series) {
    out.endCommentLater();
    int lineStart = out.size();
    if (BucketsPayload.isOne(entry.payload)) {
      TextBuffer line = emptied();
      interval(line, entry, series).base64(entry.payload);
      LineParts.put(line, out);
    } else {
      interval(out, entry, series).base64(compressedForm(entry.payload)).put('\n');
    }
    out.coverBoth(commentStart, lineStart);
  }

  private TextBuffer emptied() {
    TextBuffer line = cut;
    if (line == null) {
      line = new TextBuffer();
      cut = line;
    }
    line.clear();
    return line;
  }

  /** The line up to its last field. */
  private static TextBuffer interval(TextBuffer to, JournalEntry entry, JournalSeries series) {
    long startMillis = JournalFileWriter.lineMillis(entry.startMillis);
    long endMillis = Math.max(startMillis, JournalFileWriter.lineMillis(entry.endMillis));
    to.put(series.linePrefix()).thousandths(startMillis).put(',');
    to.thousandths(endMillis - startMillis).put(',');
    maximum(to, entry.sumMinMax.max(), series.unit());
    return to.put(',');
  }

  /** In milliseconds if it is a short time, else as it is. */
  private static void maximum(TextBuffer to, long value, Unit unit) {
    switch (unit) {
      case NANOSECONDS -> to.thousandths(value / 1000);
      case MICROSECONDS -> to.thousandths(value);
      default -> to.put(Long.toString(value)).put(".000");
    }
  }

  private ByteBuffer compressedForm(ByteBuffer payload) {
    boolean isCompressed = payload.getInt(payload.position()) == COMPRESSED_COOKIE;
    return isCompressed ? payload : zlib(payload);
  }

  /** The payload as HdrHistogram's compressed form, not compressed. */
  private ByteBuffer zlib(ByteBuffer payload) {
    int length = payload.remaining();
    int blocks = Math.max(1, (length + MAX_STORED - 1) / MAX_STORED);
    int streamBytes = 2 + 5 * blocks + length + 4;
    if (stored.capacity() < 8 + streamBytes) {
      stored = ByteBuffer.allocate(2 * (8 + streamBytes));
    }
    stored.clear().putInt(COMPRESSED_COOKIE).putInt(streamBytes).putShort((short) ZLIB_HEADER);
    adler.reset();
    adler.update(payload.array(), payload.arrayOffset() + payload.position(), length);
    for (int block = 0; block < blocks; block++) {
      int size = Math.min(MAX_STORED, payload.remaining());
      stored.put((byte) (block == blocks - 1 ? 1 : 0));
      stored.putShort(Short.reverseBytes((short) size));
      stored.putShort(Short.reverseBytes((short) ~size));
      stored.put(payload.array(), payload.arrayOffset() + payload.position(), size);
      payload.position(payload.position() + size);
    }
    return stored.putInt((int) adler.getValue()).flip();
  }
}
