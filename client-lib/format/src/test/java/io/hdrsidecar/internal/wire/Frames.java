package io.hdrsidecar.internal.wire;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Frames to test with, and INTERVAL as a value that can be compared. */
final class Frames {
  static final int MAX_BODY_BYTES = 1 << 20;

  static final InstanceId INSTANCE = new InstanceId(0x0011223344556677L, 0x8899aabbccddeeffL);
  static final Frame.Hello HELLO =
      new Frame.Hello(1, INSTANCE, Labels.of("service", "shop"), "secret");
  static final Frame.Welcome WELCOME = new Frame.Welcome(1, 0, MAX_BODY_BYTES, 64, 1);
  static final SeriesDefinition DEFINITION =
      new SeriesDefinition(
          new SeriesKey("checkout", Labels.of("route", "/pay")),
          Unit.NANOSECONDS,
          "Time to pay.",
          BucketLayout.of(1, 3),
          3_600_000_000_000L);
  static final IntervalHeader FIGURES =
      new IntervalHeader(
          1_760_000_000_000L,
          1_760_000_001_000L,
          3,
          SumMinMax.of(0, 4_000_000, true, 1_000_000, 1_500_000));

  private Frames() {}

  /** What an INTERVAL says, apart from the buffer it lies in. */
  record Interval(long sequence, int seriesId, IntervalHeader header, List<Byte> payload) {
    static Interval of(long sequence, int seriesId, IntervalHeader header, byte[] payload) {
      List<Byte> bytes = new ArrayList<>();
      for (byte b : payload) {
        bytes.add(b);
      }
      return new Interval(sequence, seriesId, header, bytes);
    }

    byte[] payloadBytes() {
      byte[] bytes = new byte[payload.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = payload.get(i);
      }
      return bytes;
    }
  }

  /** One of each type, with empty and with long texts. */
  static FrameEncoder everyKind() {
    return new FrameEncoder()
        .hello(HELLO)
        .hello(new Frame.Hello(1, new InstanceId(-1, 0), Labels.empty(), ""))
        .welcome(WELCOME)
        .welcome(new Frame.Welcome(1, Long.MAX_VALUE, 1, 1, 0))
        .series(1, DEFINITION)
        .interval(1, 1, FIGURES, ByteBuffer.wrap(new byte[] {1, 2, 3}))
        .interval(Long.MAX_VALUE, -1, FIGURES, ByteBuffer.wrap(new byte[0]))
        .ack(0)
        .ack(77)
        .reject(Frame.Reject.Scope.SERIES, 9, RejectReason.BAD_SERIES, "é\ud83d\ude00")
        .health(Map.of("pending_intervals", 0L))
        .health(Map.of())
        .goodbye();
  }

  /** All whole frames, as values. */
  static List<Object> readAll(FrameDecoder decoder, ByteBuffer in) throws MalformedFrameException {
    List<Object> frames = new ArrayList<>();
    while (decoder.next(in)) {
      frames.add(decoder.type() == FrameType.INTERVAL ? interval(decoder, in) : decoder.frame());
    }
    return frames;
  }

  private static Interval interval(FrameDecoder decoder, ByteBuffer in)
      throws MalformedFrameException {
    IntervalFrame frame = new IntervalFrame();
    decoder.interval(frame);
    int start = in.arrayOffset() + frame.payloadOffset();
    return Interval.of(
        frame.sequence(),
        frame.seriesId(),
        new IntervalHeader(
            frame.startMillis(), frame.endMillis(), frame.count(), frame.sumMinMax()),
        Arrays.copyOfRange(in.array(), start, start + frame.payloadLength()));
  }

  /** Writes what {@link #readAll} gave. */
  static byte[] write(List<Object> frames) {
    FrameEncoder encoder = new FrameEncoder();
    for (Object frame : frames) {
      write(encoder, frame);
    }
    return encoder.take();
  }

  private static void write(FrameEncoder encoder, Object frame) {
    if (frame instanceof Interval interval) {
      encoder.interval(
          interval.sequence(),
          interval.seriesId(),
          interval.header(),
          ByteBuffer.wrap(interval.payloadBytes()));
    } else if (frame instanceof Frame.Hello hello) {
      encoder.hello(hello);
    } else if (frame instanceof Frame.Welcome welcome) {
      encoder.welcome(welcome);
    } else if (frame instanceof Frame.Series series) {
      encoder.series(series.id(), series.definition());
    } else if (frame instanceof Frame.Ack ack) {
      encoder.ack(ack.sequence());
    } else if (frame instanceof Frame.Reject reject) {
      RejectReason reason = RejectReason.ofCode(reject.code()).orElseThrow();
      encoder.reject(reject.scope(), reject.reference(), reason, reject.message());
    } else if (frame instanceof Frame.Health health) {
      encoder.health(health.figures());
    } else {
      encoder.goodbye();
    }
  }
}
