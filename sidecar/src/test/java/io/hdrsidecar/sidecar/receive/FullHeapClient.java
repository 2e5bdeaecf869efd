package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.sidecar.history.History;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.Registration;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.reading.Distribution;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A client that sends each interval into a heap with no more than some hundred bytes free, so that
 * an OutOfMemoryError strikes at one step of the way or another, and sends it again when there is
 * room, if its number is not settled. Prints what was sent, what is counted, and how many attempts
 * ran out of memory before and after the number was settled.
 *
 * <p>Arguments: a seed, and how many intervals.
 */
final class FullHeapClient {
  private static final int SERIES = 12;
  private static final int VALUES = 40;
  private static final int MOST_FREE = 6_000;
  private static final int[] SIZES = {1 << 20, 1 << 16, 1 << 12, 256, 16};

  private static final byte[] NOTHING = {};

  private final SplittableRandom random;
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final Instance instance = new Instance(new InstanceId(1, 2), "test");
  private final FrameDecoder decoder = new FrameDecoder(1 << 20);
  private final IntervalFrame frame = new IntervalFrame();
  private final HistogramEncoder histograms = new HistogramEncoder();

  /** What fills the heap: a list in arrays that are there before it is full. */
  private final byte[][] ballast = new byte[200_000][];

  private int filled;
  private int failedUnsettled;
  private int failedSettled;

  private FullHeapClient(long seed) {
    this.random = new SplittableRandom(seed);
    store.past().keepIn(new History(1 << 20));
  }

  public static void main(String[] args) throws Exception {
    new FullHeapClient(Long.parseLong(args[0])).run(Integer.parseInt(args[1]));
  }

  private void run(int intervals) throws Exception {
    try (IntervalReceiver receiver = new IntervalReceiver(new StoreSink(store))) {
      for (int sequence = 1; sequence <= intervals; sequence++) {
        Registration registered =
            store
                .register(FrameClient.definition("s" + random.nextInt(SERIES)))
                .registration(FrameClient.LAYOUT);
        ByteBuffer bytes = interval(sequence);
        if (!sendIntoFullHeap(receiver, bytes, registered) && sequence > instance.lastSequence()) {
          send(receiver, bytes, registered);
        }
        if (sequence != instance.lastSequence()) {
          throw new AssertionError(sequence + " is not settled: " + instance.lastSequence());
        }
      }
    }
    report(intervals);
  }

  private boolean sendIntoFullHeap(IntervalReceiver receiver, ByteBuffer bytes, Registration to)
      throws Exception {
    long before = instance.lastSequence();
    fill();
    try {
      send(receiver, bytes, to);
      return true;
    } catch (OutOfMemoryError e) {
      failedUnsettled += instance.lastSequence() == before ? 1 : 0;
      failedSettled += instance.lastSequence() == before ? 0 : 1;
      return false;
    } finally {
      Arrays.fill(ballast, 0, filled, null);
      filled = 0;
    }
  }

  /** Until none of this size fits; smaller ones may still. */
  private void fillWith(int size) {
    boolean full = false;
    while (!full && filled < ballast.length) {
      try {
        ballast[filled] = new byte[size];
        filled++;
      } catch (OutOfMemoryError e) {
        full = true;
      }
    }
  }

  private void fill() {
    int free = random.nextInt(MOST_FREE);
    for (int size : SIZES) {
      fillWith(size);
    }
    for (int i = filled - 1; i >= 0 && free > 0; i--) {
      free -= ballast[i].length + 16;
      ballast[i] = NOTHING;
    }
  }

  private void send(IntervalReceiver receiver, ByteBuffer bytes, Registration registered)
      throws Exception {
    bytes.position(0);
    if (!decoder.next(bytes)) {
      throw new AssertionError("the frame is whole");
    }
    decoder.interval(frame);
    receiver.receive(instance, frame, bytes, registered);
  }

  private ByteBuffer interval(int sequence) {
    int magnitude = random.nextInt(20, 36);
    Accumulation counted =
        FrameClient.counted(FrameClient.LAYOUT, random.longs(VALUES, 1, 1L << magnitude).toArray());
    long end = System.currentTimeMillis();
    return ByteBuffer.wrap(
        new FrameEncoder()
            .interval(
                sequence,
                1,
                IntervalHeader.of(counted, end - 1_000, end),
                histograms.encode(counted.counts(), FrameClient.HIGHEST, 0))
            .take());
  }

  private void report(int intervals) {
    long counted = 0;
    Distribution total = new Distribution();
    for (var series : store.livingSeries()) {
      series.readTotal(total);
      counted += total.count();
    }
    System.out.printf(
        "sent=%d counted=%d failed_unsettled=%d failed_settled=%d%n",
        (long) intervals * VALUES, counted, failedUnsettled, failedSettled);
  }
}
