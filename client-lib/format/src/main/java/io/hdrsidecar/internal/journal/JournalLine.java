package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An interval or total as read: what its comment says, then what its line says. A flyweight, filled
 * again for each; throws IllegalArgumentException for what cannot be read.
 */
public final class JournalLine {
  /** Cookie and length, header of the zlib stream, header of its one block. */
  private static final int STORED_OFFSET = 8 + 2 + 5;

  private final DecodedHistogram histogram = new DecodedHistogram();
  private final BucketsPayload buckets = new BucketsPayload();
  private long record;
  private @Nullable SeriesText series;
  private @Nullable InstanceId instance;
  private long sequence;
  private final SumMinMax sumMinMax = new SumMinMax();
  private long idleMillis;
  private long startMillis;
  private long endMillis;
  private long fileOffset;
  private long fileBytes;
  private int position;
  private ByteBuffer text = ByteBuffer.allocate(0);

  void comment(
      long newRecord, @Nullable SeriesText ofSeries, @Nullable InstanceId sender, long number) {
    record = newRecord;
    series = ofSeries;
    instance = sender;
    sequence = number;
  }

  /** Sum, minimum and maximum, as the comment has them. */
  void sumMinMax(CommentFields fields) {
    boolean exact = !fields.skip('~');
    long low = fields.hex();
    sumMinMax.set(fields.overflow(), low, exact, fields.hex(), fields.hex());
  }

  /** Of a total, how long its series had been idle. */
  void idle(long millis) {
    idleMillis = millis;
  }

  /**
   * The line itself: tag, start, length, maximum, histogram. The last is left as text until {@link
   * #decode}, which must come before the next line is read.
   */
  void line(byte[] bytes, int from, int to) {
    position = from;
    skipField(bytes, to);
    startMillis = thousandths(bytes, to);
    endMillis = startMillis + thousandths(bytes, to);
    skipField(bytes, to);
    text = ByteBuffer.wrap(bytes, position, to - position);
  }

  /** Where in the file its comment begins, and how many bytes both take. */
  void place(long offset, long bytes) {
    fileOffset = offset;
    fileBytes = bytes;
  }

  /** Reads the histogram. Of what replay meets, much is too old to be needed. */
  public void decode(HistogramDecoder decoder) {
    ByteBuffer payload = payload();
    if (BucketsPayload.isOne(payload)) {
      buckets.decode(payload, histogram);
      return;
    }
    try {
      int offset = payload.arrayOffset() + payload.position();
      decoder.decode(payload.array(), offset, payload.remaining(), histogram);
    } catch (MalformedFrameException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * The histogram in an array: in V2, raw or compressed, if its buckets are HdrHistogram's, else a
   * {@link BucketsPayload}. As {@link #decode}, before the next line.
   */
  public ByteBuffer payload() {
    byte[] payload = Base64.getDecoder().decode(text.duplicate()).array();
    boolean isOurs = BucketsPayload.isOne(ByteBuffer.wrap(payload));
    int offset = !isOurs && isOneStoredBlock(payload) ? STORED_OFFSET : 0;
    int length = payload.length - offset - (offset == 0 ? 0 : Integer.BYTES);
    return ByteBuffer.wrap(payload, offset, length);
  }

  /** As JournalFormat writes all but huge ones: then there is nothing to inflate. */
  private static boolean isOneStoredBlock(byte[] payload) {
    return payload.length > STORED_OFFSET + Integer.BYTES
        && payload[8] == 0x78
        && payload[9] == 0x01
        && payload[10] == 1;
  }

  private void skipField(byte[] bytes, int to) {
    while (position < to && bytes[position] != ',') {
      position++;
    }
    position++;
  }

  /** A number with three decimals, as JournalFormat writes it. */
  private long thousandths(byte[] bytes, int to) {
    long number = 0;
    for (; position < to && bytes[position] != ','; position++) {
      if (bytes[position] != '.') {
        number = number * 10 + Character.digit(bytes[position], 10);
      }
    }
    position++;
    return number;
  }

  /** Number of the record; of a total, that of the last record in it. */
  public long record() {
    return record;
  }

  /** Null when its definition could not be read. */
  public @Nullable SeriesText series() {
    return series;
  }

  /** Who sent it; null for nobody with a number. */
  public @Nullable InstanceId instance() {
    return instance;
  }

  /** Sequence number of an interval; number of intervals in a total. */
  public long sequence() {
    return sequence;
  }

  /** Sum, minimum and maximum of the values. */
  public SumMinMax sumMinMax() {
    return sumMinMax;
  }

  /** Of a total: for how many milliseconds its series had no interval when it was written. */
  public long idleMillis() {
    return idleMillis;
  }

  /** Where in the file its comment begins. */
  public long fileOffset() {
    return fileOffset;
  }

  /** How many bytes comment and line take there, with both line ends. */
  public long fileBytes() {
    return fileBytes;
  }

  /** What {@link #decode} read. */
  public DecodedHistogram histogram() {
    return histogram;
  }

  /** Milliseconds since the epoch. */
  public long startMillis() {
    return startMillis;
  }

  /** Milliseconds since the epoch. */
  public long endMillis() {
    return endMillis;
  }
}
