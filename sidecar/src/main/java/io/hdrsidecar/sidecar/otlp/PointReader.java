package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.sidecar.otlp.DataPoint.SentExemplar;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads points of histograms, and checks what their numbers say about each other. */
final class PointReader {
  /** Of one point. SDKs have 160; a merge of some with others a few times that. */
  static final int MOST_BUCKETS = 8192;

  private static final int MOST_BOUNDS = BucketLayout.MAX_BOUNDS;
  private static final int MOST_INDEX = 1 << 30;
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  private PointReader() {}

  /** A point with explicit buckets. */
  static DataPoint explicit(WireReader reader)
      throws MalformedOtlpException, RejectedPointException {
    DataPoint point = new DataPoint();
    NumberRow counts = new NumberRow(MOST_BOUNDS + 1);
    NumberRow edges = new NumberRow(MOST_BOUNDS);
    while (reader.next()) {
      if (!isCommon(reader, point, 9, 8, 10, 11, 12)) {
        if (isRow(reader, 6, WireReader.FIXED64)) {
          numbers(reader, counts, WireReader.FIXED64);
        } else if (isRow(reader, 7, WireReader.FIXED64)) {
          numbers(reader, edges, WireReader.FIXED64);
        } else {
          reader.skip();
        }
      }
    }
    point.counts = counts.longs();
    double[] bounds = edges.doubles();
    point.bounds = bounds;
    if (!point.hasNoValue()) {
      requireExplicit(point, bounds);
    }
    return point;
  }

  private static void requireExplicit(DataPoint point, double[] bounds)
      throws RejectedPointException {
    if (point.counts.length == 0 && bounds.length == 0) {
      point.counts = new long[] {point.count}; // One bucket of all numbers, by the specification.
    }
    if (point.counts.length != bounds.length + 1) {
      throw bad(
          "bucket_counts must be one more than explicit_bounds: "
              + point.counts.length
              + " and "
              + bounds.length);
    }
    for (int i = 0; i < bounds.length; i++) {
      if (Double.isNaN(bounds[i]) || (i > 0 && bounds[i] <= bounds[i - 1])) {
        throw bad("explicit_bounds must ascend: " + bounds[i] + " at " + i);
      }
    }
    requireCount(point, total(point.counts));
  }

  /** A point with base-2 buckets. */
  static DataPoint exponential(WireReader reader)
      throws MalformedOtlpException, RejectedPointException {
    DataPoint point = new DataPoint();
    int scale = 0;
    Base2Buckets positive = new Base2Buckets(0, 0, point.counts);
    while (reader.next()) {
      if (isCommon(reader, point, 1, 11, 10, 12, 13)) {
        continue;
      }
      if (reader.is(6, WireReader.VARINT)) {
        scale = reader.sint32();
      } else if (reader.is(7, WireReader.FIXED64)) {
        point.zeroCount = reader.fixed64();
      } else if (reader.is(8, WireReader.BYTES)) {
        positive = buckets(reader.message());
      } else if (reader.is(9, WireReader.BYTES)) {
        point.negativeCount = total(buckets(reader.message()).counts());
      } else if (reader.is(14, WireReader.FIXED64)) {
        point.zeroThreshold = reader.float64();
      } else {
        reader.skip();
      }
    }
    point.positive = new Base2Buckets(scale, positive.offset(), positive.counts());
    if (!point.hasNoValue()) {
      requireExponential(point, scale, positive);
    }
    return point;
  }

  private static void requireExponential(DataPoint point, int scale, Base2Buckets positive)
      throws RejectedPointException {
    if (scale < Base2Buckets.COARSEST || scale > Base2Buckets.FINEST) {
      throw bad(
          "scale must be " + Base2Buckets.COARSEST + ".." + Base2Buckets.FINEST + ": " + scale);
    }
    if (point.zeroCount < 0 || !(point.zeroThreshold >= 0)) {
      throw bad("zero_count and zero_threshold must be 0 or more");
    }
    long total = Base2Buckets.added(total(positive.counts()), point.zeroCount);
    requireCount(point, Base2Buckets.added(total, point.negativeCount));
  }

  private static void requireCount(DataPoint point, long total) throws RejectedPointException {
    if (point.count != total || total == Long.MAX_VALUE) {
      throw bad(
          "count must be that of the buckets: "
              + Long.toUnsignedString(point.count)
              + " and "
              + total);
    }
  }

  /** Takes a field that both kinds have, by its number there. */
  private static boolean isCommon(
      WireReader reader,
      DataPoint point,
      int attributes,
      int exemplars,
      int flags,
      int min,
      int max)
      throws MalformedOtlpException, RejectedPointException {
    if (reader.is(attributes, WireReader.BYTES)) {
      Attribute.read(reader.message(), point.attributes);
    } else if (reader.is(2, WireReader.FIXED64)) {
      point.startNanos = reader.fixed64();
    } else if (reader.is(3, WireReader.FIXED64)) {
      point.timeNanos = reader.fixed64();
    } else if (reader.is(4, WireReader.FIXED64)) {
      point.count = reader.fixed64();
    } else if (reader.is(5, WireReader.FIXED64)) {
      point.sum = reader.float64();
    } else if (reader.is(exemplars, WireReader.BYTES)) {
      exemplar(reader.message(), point);
    } else if (reader.is(flags, WireReader.VARINT)) {
      point.flags = reader.rawVarint();
    } else if (reader.is(min, WireReader.FIXED64)) {
      point.min = reader.float64();
    } else if (reader.is(max, WireReader.FIXED64)) {
      point.max = reader.float64();
    } else {
      return false;
    }
    return true;
  }

  private static Base2Buckets buckets(WireReader reader)
      throws MalformedOtlpException, RejectedPointException {
    int offset = 0;
    NumberRow counts = new NumberRow(MOST_BUCKETS);
    while (reader.next()) {
      if (reader.is(1, WireReader.VARINT)) {
        offset = reader.sint32();
      } else if (isRow(reader, 2, WireReader.VARINT)) {
        numbers(reader, counts, WireReader.VARINT);
      } else {
        reader.skip();
      }
    }
    if (offset < -MOST_INDEX || offset > MOST_INDEX) {
      throw bad("offset of buckets must be from -2^30 to 2^30: " + offset);
    }
    return trimmed(offset, counts.longs());
  }

  /** Without the empty buckets at both ends. */
  private static Base2Buckets trimmed(int offset, long[] counts) {
    int first = 0;
    while (first < counts.length && counts[first] == 0) {
      first++;
    }
    int end = counts.length;
    while (end > first && counts[end - 1] == 0) {
      end--;
    }
    return new Base2Buckets(0, offset + first, Arrays.copyOfRange(counts, first, end));
  }

  /** A row may be one field with all its numbers, or a field for each. */
  private static boolean isRow(WireReader reader, int number, int wireType) {
    return reader.is(number, WireReader.BYTES) || reader.is(number, wireType);
  }

  private static void numbers(WireReader reader, NumberRow into, int wireType)
      throws MalformedOtlpException, RejectedPointException {
    WireReader row = reader.type() == WireReader.BYTES ? reader.message() : null;
    do {
      if (row != null && !row.hasMore()) {
        return;
      }
      WireReader from = row == null ? reader : row;
      into.add(wireType == WireReader.FIXED64 ? from.fixed64() : from.rawVarint());
    } while (row != null);
  }

  /** Sum of counts, each 0 or more; what would not fit, or is negative, becomes the largest. */
  private static long total(long[] counts) {
    long total = 0;
    for (long count : counts) {
      total = Base2Buckets.added(total, count < 0 ? Long.MAX_VALUE : count);
    }
    return total;
  }

  private static void exemplar(WireReader reader, DataPoint point) throws MalformedOtlpException {
    long time = 0;
    double value = Double.NaN;
    byte[] trace = new byte[0];
    byte[] span = trace;
    while (reader.next()) {
      if (reader.is(2, WireReader.FIXED64)) {
        time = reader.fixed64();
      } else if (reader.is(3, WireReader.FIXED64)) {
        value = reader.float64();
      } else if (reader.is(6, WireReader.FIXED64)) {
        value = reader.fixed64();
      } else if (reader.is(4, WireReader.BYTES)) {
        span = reader.copy();
      } else if (reader.is(5, WireReader.BYTES)) {
        trace = reader.copy();
      } else {
        reader.skip();
      }
    }
    SentExemplar before = point.exemplar;
    if (trace.length == TRACE_BYTES
        && (span.length == 0 || span.length == SPAN_BYTES)
        && value >= 0
        && value < Double.POSITIVE_INFINITY
        && time >= 0
        && (before == null || value >= before.value())) {
      HexFormat hex = HexFormat.of();
      point.exemplar = new SentExemplar(value, time, hex.formatHex(trace), hex.formatHex(span));
    }
  }

  private static RejectedPointException bad(String problem) {
    return new RejectedPointException(NotKeptPoint.BAD_POINT, problem);
  }
}
