package io.hdrsidecar.sidecar.log;

import io.hdrsidecar.sidecar.window.IntervalCounts;
import io.hdrsidecar.wire.DecodedHistogram;
import io.hdrsidecar.wire.HistogramDecoder;
import io.hdrsidecar.wire.InstanceId;
import io.hdrsidecar.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An interval or total as read: what its comment says, then what its line says. A flyweight, filled
 * again for each; throws IllegalArgumentException for what cannot be read.
 */
final class JournalLine {
  private final DecodedHistogram histogram = new DecodedHistogram();
  private final IntervalCounts counts = new IntervalCounts();
  private long record;
  private @Nullable SeriesText series;
  private @Nullable InstanceId instance;
  private long sequence;
  private long sumHigh;
  private long sumLow;
  private boolean sumExact;
  private long min;
  private long max;
  private long startMillis;
  private long endMillis;
  private int position;

  void comment(
      long newRecord, @Nullable SeriesText ofSeries, @Nullable InstanceId sender, long number) {
    record = newRecord;
    series = ofSeries;
    instance = sender;
    sequence = number;
  }

  /** Sum, minimum and maximum, as the comment has them. */
  void figures(String sum, String smallest, String largest) {
    sumExact = !sum.startsWith("~");
    String digits = sumExact ? sum : sum.substring(1);
    int split = Math.max(0, digits.length() - 16);
    sumHigh = split == 0 ? 0 : Long.parseUnsignedLong(digits.substring(0, split), 16);
    sumLow = Long.parseUnsignedLong(digits.substring(split), 16);
    min = Long.parseUnsignedLong(smallest, 16);
    max = Long.parseUnsignedLong(largest, 16);
  }

  /** The line itself: tag, start, length, maximum, histogram. */
  void line(JournalLines line, HistogramDecoder decoder) {
    byte[] bytes = line.bytes();
    position = line.from();
    skipField(bytes, line.to());
    startMillis = thousandths(bytes, line.to());
    endMillis = startMillis + thousandths(bytes, line.to());
    skipField(bytes, line.to());
    ByteBuffer text = ByteBuffer.wrap(bytes, position, line.to() - position);
    byte[] payload = Base64.getDecoder().decode(text).array();
    try {
      decoder.decode(payload, 0, payload.length, histogram);
    } catch (MalformedFrameException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    counts.set(histogram.counts(), sumHigh, sumLow, sumExact, min, max);
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

  long record() {
    return record;
  }

  /** Null when its definition could not be read. */
  @Nullable SeriesText series() {
    return series;
  }

  /** Who sent it; null for nobody with a number. */
  @Nullable InstanceId instance() {
    return instance;
  }

  /** Sequence number of an interval; number of intervals in a total. */
  long sequence() {
    return sequence;
  }

  IntervalCounts counts() {
    return counts;
  }

  DecodedHistogram histogram() {
    return histogram;
  }

  long startMillis() {
    return startMillis;
  }

  long endMillis() {
    return endMillis;
  }
}
