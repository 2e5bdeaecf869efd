package io.hdrsidecar.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Mutations of good bytes: each gives a result or a MalformedFrameException, and nothing else.
 *
 * <p>Two seconds for each test, or as many as {@code -Dhdr.fuzz.seconds=60} says. The seed is new
 * each time, or that of {@code -Dhdr.fuzz.seed=...}; a failure names the seed of its round, which
 * alone repeats it.
 */
class WireFuzzTest {
  private static final double SECONDS =
      Double.parseDouble(System.getProperty("hdr.fuzz.seconds", "2"));
  private static final int MAX_COUNTERS = 1 << 17;

  /** Room for the inflated counts and the sparse ones, grown by doubling, and for messages. */
  private static final long MOST_BYTES_KEPT = 4L * MAX_COUNTERS * (9 + 12);

  /** Something that is fed with damaged bytes. */
  private interface Target {
    void feed(SplittableRandom random) throws MalformedFrameException;
  }

  private static long firstSeed() {
    return Long.getLong("hdr.fuzz.seed", System.nanoTime());
  }

  private static void fuzz(String name, Target target) {
    long seed = firstSeed();
    long deadline = System.nanoTime() + (long) (SECONDS * 1e9);
    long rounds = 0;
    long refused = 0;
    for (; rounds == 0 || System.nanoTime() < deadline; rounds++, seed++) {
      try {
        target.feed(new SplittableRandom(seed));
      } catch (MalformedFrameException e) {
        assertThat(e.getMessage()).isNotEmpty();
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("-Dhdr.fuzz.seed=" + seed, e);
      }
    }
    System.out.printf("fuzz %s: %,d rounds, %,d refused%n", name, rounds, refused);
    assertThat(refused).isPositive();
  }

  /** One to four small damages: a bit, a byte, a number, a cut, a repetition, a splice. */
  private static byte[] damaged(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    for (int damages = random.nextInt(1, 5); damages > 0 && bytes.length > 8; damages--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> ByteBuffer.wrap(bytes).putInt(Math.min(at, bytes.length - 4), edge(random));
        case 3 -> bytes = Arrays.copyOf(bytes, at);
        case 4 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(50));
        default -> {
          int from = random.nextInt(bytes.length);
          System.arraycopy(bytes, from, bytes, at, bytes.length - Math.max(from, at));
        }
      }
    }
    return bytes;
  }

  private static int edge(SplittableRandom random) {
    int[] edges = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << random.nextInt(31)};
    return edges[random.nextInt(edges.length)];
  }

  private static List<byte[]> goodPayloads() {
    List<byte[]> payloads = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 40; i++) {
      payloads.add(RandomHistograms.rawBytesOf(RandomHistograms.next(random, i % 4)));
    }
    CraftedPayload v1 = new CraftedPayload().bytes(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0);
    v1.cookie = HistogramEncoding.V1 | 0x40;
    payloads.add(v1.raw());
    v1.cookie = HistogramEncoding.V0 | 0x20;
    payloads.add(v1.rawV0());
    return payloads;
  }

  /** Damages inside the deflated stream, where its checksum does not find them, and outside. */
  @Test
  void decode_damagedPayloads_giveAResultOrATypedErrorWithinMemory() {
    List<byte[]> good = goodPayloads();
    DecodedHistogram decoded = new DecodedHistogram();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS)) {
      fuzz(
          "payloads",
          random -> {
            byte[] raw = good.get(random.nextInt(good.size()));
            byte[] payload =
                switch (random.nextInt(4)) {
                  case 0 -> damaged(raw, random);
                  case 1 -> damaged(deflated(raw), random);
                  case 2 -> deflated(damaged(raw, random));
                  default -> damaged(dotNet(raw, random), random);
                };
            long before = threads.getCurrentThreadAllocatedBytes();
            decode(decoder, payload, decoded);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .isLessThan(MOST_BYTES_KEPT);
          });
    }
  }

  private static byte[] deflated(byte[] raw) {
    return new CraftedPayload().wrapped(CraftedPayload.deflate(raw));
  }

  private static byte[] dotNet(byte[] raw, SplittableRandom random) {
    byte[] padded = Arrays.copyOf(raw, raw.length + random.nextInt(10_000));
    return new CraftedPayload().wrapped(CraftedPayload.deflateLikeDotNet(padded));
  }

  private static void decode(HistogramDecoder decoder, byte[] payload, DecodedHistogram decoded)
      throws MalformedFrameException {
    decoder.decode(payload, 0, payload.length, decoded);
    int last = -1;
    long total = 0;
    for (int i = 0; i < decoded.counts().size(); i++) {
      assertThat(decoded.counts().indexAt(i)).isGreaterThan(last);
      assertThat(decoded.counts().countAt(i)).isPositive();
      last = decoded.counts().indexAt(i);
      total = Math.addExact(total, decoded.counts().countAt(i));
    }
    assertThat(last).isLessThan(decoded.layout().countersUpTo(decoded.highestTrackableValue()));
    assertThat(total).isEqualTo(decoded.counts().total());
  }

  @Test
  void next_damagedStreams_giveFramesOrATypedError() {
    byte[] good = Frames.everyKind().take();
    fuzz(
        "streams",
        random ->
            Frames.readAll(
                new FrameDecoder(Frames.MAX_BODY_BYTES), ByteBuffer.wrap(damaged(good, random))));
  }

  /** Bodies that a hostile sender has given a valid checksum. */
  @Test
  void frame_damagedBodiesWithValidChecksums_giveFramesOrATypedError() throws Exception {
    ByteBuffer stream = ByteBuffer.wrap(Frames.everyKind().take());
    FrameDecoder decoder = new FrameDecoder(Frames.MAX_BODY_BYTES);
    List<byte[]> bodies = new ArrayList<>();
    while (stream.hasRemaining()) {
      int start = stream.position();
      decoder.next(stream);
      bodies.add(Arrays.copyOfRange(stream.array(), start + 8, stream.position() - 4));
    }
    fuzz(
        "bodies",
        random -> {
          byte[] body = damaged(bodies.get(random.nextInt(bodies.size())), random);
          byte[] frame = CraftedFrame.of(random.nextInt(1, 9), body);
          Frames.readAll(new FrameDecoder(Frames.MAX_BODY_BYTES), ByteBuffer.wrap(frame));
        });
  }
}
