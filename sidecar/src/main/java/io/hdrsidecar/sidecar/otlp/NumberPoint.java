package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.sidecar.otlp.CumulativeStreams.Stream;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A point of a sum or a gauge, as it was sent: a {@code NumberDataPoint}, without exemplars. */
final class NumberPoint extends TimedPoint {
  /** Null where none was sent. */
  private @Nullable SentNumber value;

  /** Reads one. */
  static NumberPoint read(WireReader reader) throws MalformedOtlpException, RejectedPointException {
    NumberPoint point = new NumberPoint();
    while (reader.next()) {
      if (reader.is(7, WireReader.BYTES)) {
        Attribute.read(reader.message(), point.attributes);
      } else if (reader.is(2, WireReader.FIXED64)) {
        point.startNanos = reader.fixed64();
      } else if (reader.is(3, WireReader.FIXED64)) {
        point.timeNanos = reader.fixed64();
      } else if (reader.is(4, WireReader.FIXED64)) {
        point.value = SentNumber.of(reader.float64());
      } else if (reader.is(6, WireReader.FIXED64)) {
        point.value = SentNumber.of(reader.fixed64());
      } else if (reader.is(8, WireReader.VARINT)) {
        point.flags = reader.rawVarint();
      } else {
        reader.skip();
      }
    }
    return point;
  }

  /** Its value, which a gauge may have without end, or not a number. */
  SentNumber value() throws RejectedPointException {
    if (value == null) {
      throw bad("must have as_double or as_int, or the flag that there is no value");
    }
    return value;
  }

  /**
   * Its value, of what is added up.
   *
   * @param isCounter whether it may not fall
   */
  SentNumber amount(boolean isCounter) throws RejectedPointException {
    SentNumber sent = value();
    if (!sent.isFinite() || (isCounter && sent.toDouble() < 0)) {
      throw bad(
          (isCounter ? "a monotonic sum must be a number of 0 or more: " : "must be finite: ")
              + sent);
    }
    return sent;
  }

  private static RejectedPointException bad(String problem) {
    return new RejectedPointException(NotKeptPoint.BAD_POINT, problem);
  }

  /** As a point of a cumulative stream that counts. */
  CumulativeStreams.StreamPoint<BigDecimal> ofStream(SentNumber counted) {
    return new OfStream(this, counted);
  }

  private record OfStream(NumberPoint point, SentNumber counted)
      implements CumulativeStreams.StreamPoint<BigDecimal> {
    @Override
    public Stream remembered() {
      return new LastNumber(point.startNanos, point.timeNanos, counted);
    }

    @Override
    public BigDecimal whole() {
      return counted.exact();
    }

    @Override
    public @Nullable BigDecimal since(Stream before) {
      BigDecimal more = counted.exact().subtract(((LastNumber) before).last.exact());
      return more.signum() < 0 ? null : more;
    }

    /** A sum does not say how many. */
    @Override
    public long values() {
      return 0;
    }
  }

  /** What is remembered of a sum. */
  private static final class LastNumber extends Stream {
    /** A map entry, its key, this and its number, with their headers. */
    private static final long BYTES = 176;

    private final SentNumber last;

    LastNumber(long startNanos, long timeNanos, SentNumber last) {
      super(startNanos, timeNanos);
      this.last = last;
    }

    @Override
    long bytes() {
      return BYTES;
    }
  }
}
