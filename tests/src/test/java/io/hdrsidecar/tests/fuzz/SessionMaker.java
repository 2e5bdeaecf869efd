package io.hdrsidecar.tests.fuzz;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a client may send in one connection, made wrong: whole frames in another order, left out,
 * twice, with sound checks around a damaged body; and then bytes.
 */
final class SessionMaker {
  /** Few, so that connections meet as the same instance and numbers go on where they ended. */
  private static final int INSTANCES = 8;

  private static final int SERIES = 4;
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final long HIGHEST = 1L << 42;

  private final Mutator mutator = new Mutator();
  private final long[] nextSequence = new long[INSTANCES];

  /** The bytes of one connection. */
  byte[] session(SplittableRandom random) {
    List<FrameBytes> frames = good(random);
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      change(frames, random);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    frames.forEach(frame -> bytes.writeBytes(frame.sealed()));
    byte[] whole = bytes.toByteArray();
    return random.nextInt(3) == 0 ? mutator.damaged(whole, random) : whole;
  }

  private List<FrameBytes> good(SplittableRandom random) {
    int instance = random.nextInt(INSTANCES);
    FrameEncoder out = new FrameEncoder();
    Labels common = random.nextInt(4) == 0 ? Labels.of("service", "shop") : Labels.empty();
    out.hello(new Frame.Hello(1, new InstanceId(7, instance), common, ""));
    int series = random.nextInt(1, SERIES + 1);
    for (int id = 0; id < series; id++) {
      out.series(id, definition(id));
    }
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      for (int left = random.nextInt(20); left > 0; left--) {
        interval(out, histograms, ++nextSequence[instance], random.nextInt(series), random);
        if (random.nextInt(10) == 0) {
          out.health(Map.of("pending_intervals", random.nextLong()));
        }
      }
    }
    if (random.nextBoolean()) {
      out.goodbye();
    }
    return new ArrayList<>(FrameBytes.readAll(out.take(), MAX_BODY_BYTES));
  }

  private static SeriesDefinition definition(int id) {
    return new SeriesDefinition(
        new SeriesKey("fuzzed_" + id, Labels.of("route", "/pay")),
        Unit.NANOSECONDS,
        "Time to pay.",
        BucketLayout.of(1, id),
        HIGHEST);
  }

  private static void interval(
      FrameEncoder out,
      HistogramEncoder histograms,
      long sequence,
      int id,
      SplittableRandom random) {
    BucketLayout layout = BucketLayout.of(1, id);
    Accumulation counted = new Accumulation(layout);
    for (int left = random.nextInt(1, 100); left > 0; left--) {
      long value = random.nextLong(1L << random.nextInt(1, 42));
      counted.counts().add(layout.indexOf(value), 1);
      counted.sum().add(value);
      counted.widen(value, value);
    }
    out.interval(
        sequence,
        id,
        IntervalHeader.of(counted, 1000, 2000),
        histograms.encode(counted.counts(), HIGHEST, random.nextInt(3)));
  }

  private void change(List<FrameBytes> frames, SplittableRandom random) {
    int at = random.nextInt(frames.size());
    int other = random.nextInt(frames.size());
    switch (random.nextInt(6)) {
      case 0 -> Collections.swap(frames, at, other);
      case 1 -> frames.add(at, frames.get(other));
      case 2 -> {
        if (frames.size() > 1) {
          frames.remove(at);
        }
      }
      case 3 -> frames.set(at, new FrameBytes(random.nextInt(10), frames.get(at).body()));
      case 4 -> frames.addAll(other, List.copyOf(frames.subList(0, at)));
      default ->
          frames.set(
              at,
              new FrameBytes(
                  frames.get(at).type(), mutator.damaged(frames.get(at).body(), random)));
    }
  }
}
