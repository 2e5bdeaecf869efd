package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads that lie: each is refused with its reason, and before it costs memory. */
class HostilePayloadTest {
  private static final int MAX_COUNTERS = 1 << 17;
  private final HistogramDecoder decoder = new HistogramDecoder(MAX_COUNTERS);
  private final DecodedHistogram decoded = new DecodedHistogram();

  @AfterEach
  void close() {
    decoder.close();
  }

  private Map<Integer, Long> decode(byte[] payload) throws MalformedFrameException {
    decoder.decode(payload, 0, payload.length, decoded);
    return RandomHistograms.bucketsOf(decoded);
  }

  private void assertRefused(byte[] payload, RejectReason reason, String message) {
    assertThatThrownBy(() -> decode(payload))
        .isInstanceOfSatisfying(
            MalformedFrameException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(message);
  }

  private static Arguments bad(String message, Consumer<CraftedPayload> damage) {
    return Arguments.of(message, RejectReason.BAD_PAYLOAD, damage);
  }

  static Stream<Arguments> lies() {
    return Stream.of(
        bad("digits must be 0..5: 6", p -> p.digits = 6),
        bad("digits must be 0..5: -1", p -> p.digits = -1),
        bad("at least 1: 0", p -> p.lowest = 0),
        bad("at least 1: -1", p -> p.lowest = -1),
        bad("at least twice", p -> p.highest = 1),
        bad("at least twice", p -> p.highest = Long.MIN_VALUE),
        bad("cannot be kept", p -> p.lowest = 1L << 61),
        bad("ratio 2.0", p -> p.ratio = 2.0),
        bad("ratio NaN", p -> p.ratio = Double.NaN),
        bad("normalizing offset 1", p -> p.normalizing = 1),
        bad("normalizing offset -1", p -> p.normalizing = -1),
        bad("length -2147483648", p -> p.declared = Integer.MIN_VALUE),
        bad("bytes", p -> p.declared = Integer.MAX_VALUE),
        bad("counts", p -> p.declared = 2),
        bad("", p -> p.declared = 0),
        bad("V2 cookie must be 1c849313", p -> p.cookie = HistogramEncoding.V2),
        bad("no HdrHistogram cookie", p -> p.cookie = 0x0c72124e),
        bad("lies past", p -> p.number(Long.MIN_VALUE)),
        bad("lies past", p -> p.number(-Integer.MAX_VALUE)),
        bad("lies past", p -> p.number(-(1L << 32) - 1)),
        bad("lies past", p -> p.number(-40_000)),
        bad("cut off", p -> p.bytes(0x80)),
        bad("cut off", p -> p.bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
        Arguments.of(
            "2^63 - 1",
            RejectReason.COUNT_OVERFLOW,
            (Consumer<CraftedPayload>) p -> p.number(Long.MAX_VALUE).number(1)),
        Arguments.of(
            "at most 131072 counters",
            RejectReason.CONFIGURATION_LIMIT,
            (Consumer<CraftedPayload>) p -> p.digits = 5),
        Arguments.of(
            "at most 131072 counters",
            RejectReason.CONFIGURATION_LIMIT,
            (Consumer<CraftedPayload>)
                p -> {
                  p.digits = 4;
                  p.highest = Long.MAX_VALUE;
                }));
  }

  @ParameterizedTest(name = "{index} {0}")
  @MethodSource("lies")
  void decode_oneLie_isRefusedRawAndDeflated(
      String message, RejectReason reason, Consumer<CraftedPayload> damage) {
    CraftedPayload payload = new CraftedPayload().number(-1000).number(7).number(2);
    damage.accept(payload);
    assertRefused(payload.raw(), reason, message);
    assertRefused(payload.deflated(), reason, message);
  }

  @Test
  void decode_countsUpToTheLastCounter_areReadAndOneFurtherRefused() throws Exception {
    int counters = 33_792; // Of 1..3,600,000,000,000 with 3 digits, as HdrHistogram has it.
    int last = counters - 1;
    assertThat(decode(new CraftedPayload().number(-last).number(5).raw()))
        .isEqualTo(Map.of(last, 5L));
    assertThat(decode(new CraftedPayload().number(-counters).raw())).isEmpty();
    assertRefused(
        new CraftedPayload().number(-counters).number(5).raw(),
        RejectReason.BAD_PAYLOAD,
        "past the 33792 counters");
  }

  @Test
  void decode_everyTruncation_isRefused() {
    CraftedPayload payload =
        new CraftedPayload().number(-1000).number(7).number(-300).number(1L << 40);
    for (byte[] whole : new byte[][] {payload.raw(), payload.deflated()}) {
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> decode(cut))
            .as("first %d bytes", length)
            .isInstanceOf(MalformedFrameException.class);
      }
    }
  }

  @Test
  void decode_everyTruncationThatDeclaresItself_isRefused() {
    byte[] stream = CraftedPayload.deflate(new CraftedPayload().number(-1000).number(7).raw());
    for (int length = 0; length < stream.length; length++) {
      byte[] cut = new CraftedPayload().wrapped(Arrays.copyOf(stream, length));
      assertThatThrownBy(() -> decode(cut))
          .as("first %d bytes of the stream", length)
          .isInstanceOf(MalformedFrameException.class);
    }
  }

  @Test
  void decode_damagedAdler32_isRefused() {
    byte[] payload = new CraftedPayload().number(-1000).number(7).deflated();
    payload[payload.length - 1] ^= 1;
    assertRefused(payload, RejectReason.BAD_PAYLOAD, "incorrect data check");
  }

  @Test
  void decode_bytesAfterTheDeclaredStream_areNoPartOfIt() throws Exception {
    byte[] payload = new CraftedPayload().number(-1000).number(7).deflated();
    assertThat(decode(Arrays.copyOf(payload, payload.length + 20))).isEqualTo(Map.of(1000, 7L));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5000, 300_000})
  void decode_zerosAfterTheCounts_areAnUnusedBuffer(int zeros) throws Exception {
    byte[] raw = new CraftedPayload().number(-1000).number(7).raw();
    byte[] padded = Arrays.copyOf(raw, raw.length + zeros);
    CraftedPayload outer = new CraftedPayload();
    assertThat(decode(outer.wrapped(CraftedPayload.deflate(padded)))).isEqualTo(Map.of(1000, 7L));
    assertThat(decode(outer.wrapped(CraftedPayload.deflateLikeDotNet(padded))))
        .isEqualTo(Map.of(1000, 7L));
    padded[padded.length - 1] = 1;
    assertRefused(
        outer.wrapped(CraftedPayload.deflate(padded)),
        RejectReason.BAD_PAYLOAD,
        "do not end where");
  }

  @Test
  void decode_missingAdler32_isReadOnlyBehindTheHeaderOfDotNet() throws Exception {
    byte[] stream =
        CraftedPayload.deflateLikeDotNet(new CraftedPayload().number(-1000).number(7).raw());
    assertThat(decode(new CraftedPayload().wrapped(stream))).isEqualTo(Map.of(1000, 7L));
    stream[0] = 0x78;
    stream[1] = (byte) 0x9c;
    assertRefused(new CraftedPayload().wrapped(stream), RejectReason.BAD_PAYLOAD, "do not end");
  }

  @Test
  void decode_negativeWordOfV1_isRefused() {
    CraftedPayload payload = new CraftedPayload().bytes(0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff);
    payload.cookie = HistogramEncoding.V1 | 0x40;
    assertRefused(payload.raw(), RejectReason.BAD_PAYLOAD, "negative count -1 in bucket 1");
    assertRefused(payload.deflated(), RejectReason.BAD_PAYLOAD, "negative count -1 in bucket 1");
  }

  @Test
  void decode_halfAWordOfV1OrV0_isRefused() {
    CraftedPayload payload = new CraftedPayload().bytes(0, 0, 0, 1, 0);
    payload.cookie = HistogramEncoding.V1 | 0x40;
    assertRefused(payload.raw(), RejectReason.BAD_PAYLOAD, "no words of 4 bytes");
    payload.cookie = HistogramEncoding.V0 | 0x40;
    assertRefused(payload.rawV0(), RejectReason.BAD_PAYLOAD, "no words of 4 bytes");
  }

  @Test
  void decode_wordsOfV0PastTheirConfiguration_areRefusedEvenWithinFortyBytes() {
    CraftedPayload payload = new CraftedPayload().bytes(0, 1, 0, 1, 0, 1);
    payload.cookie = HistogramEncoding.V0 | 0x20;
    payload.compressedCookie = HistogramEncoding.V0_COMPRESSED;
    payload.digits = 0;
    payload.highest = 2; // Three counters: six bytes.
    payload.bytes(0, 1);
    assertRefused(
        payload.wrapped(CraftedPayload.deflate(payload.rawV0())),
        RejectReason.BAD_PAYLOAD,
        "do not end where");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x10, 0x30, 0x60, 0xa0, 0xf0})
  void decode_wordsOfASizeThatDoesNotExist_areRefused(int size) {
    CraftedPayload payload = new CraftedPayload().bytes(0, 1);
    payload.cookie = HistogramEncoding.V1 | size;
    if (size != 0x30) { // HdrHistogram ignores the lowest bit: 3 means 2.
      assertRefused(payload.raw(), RejectReason.BAD_PAYLOAD, "words must have 2, 4 or 8 bytes");
    }
  }

  /** Small inputs that would be large, or endless, if their word were taken. */
  static Stream<Arguments> bombs() {
    CraftedPayload endless = new CraftedPayload().zeros(1 << 20);
    endless.declared = 1;
    CraftedPayload huge = new CraftedPayload();
    huge.declared = Integer.MAX_VALUE;
    CraftedPayload wide = new CraftedPayload();
    wide.digits = 5;
    wide.highest = Long.MAX_VALUE;
    CraftedPayload full = new CraftedPayload();
    full.declared = 9 * 33_792;
    return Stream.of(
        Arguments.of("endless zeros", endless.deflated()),
        Arguments.of("2 GiB declared", huge.deflated()),
        Arguments.of("widest configuration", wide.deflated()),
        Arguments.of("all counters declared, none there", full.deflated()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bombs")
  void decode_smallInputThatClaimsMuch_takesNextToNoMemory(String name, byte[] bomb) {
    assertThatThrownBy(() -> decode(bomb)).isInstanceOf(MalformedFrameException.class);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) {
      try (HistogramDecoder fresh = new HistogramDecoder(MAX_COUNTERS)) {
        fresh.decode(bomb, 0, bomb.length, decoded);
      } catch (MalformedFrameException expected) {
        assertThat(expected.getMessage()).isNotEmpty();
      }
    }
    long perDecoding = (threads.getCurrentThreadAllocatedBytes() - before) / 100;
    assertThat(perDecoding).as(name).isLessThan(128 << 10);
  }
}
