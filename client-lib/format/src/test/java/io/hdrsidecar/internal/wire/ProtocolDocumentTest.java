package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * PROTOCOL.md against the code. Its session was written by a second implementation, {@code
 * src/test/python/golden_frames.py}, which shares nothing with the encoder tested here.
 */
class ProtocolDocumentTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```frame (\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern TABLE_ROW =
      Pattern.compile("^\\| (\\d+) +\\| (\\w+) +\\|", Pattern.MULTILINE);

  /** A block of hexadecimal bytes, and the frame type it claims to be. */
  private record HexBlock(FrameType type, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  private static String document() throws IOException {
    return Files.readString(Path.of("..", "..", "PROTOCOL.md"));
  }

  private static List<HexBlock> session() throws IOException {
    return BLOCK.matcher(document()).results().map(ProtocolDocumentTest::block).toList();
  }

  private static HexBlock block(MatchResult block) {
    String hex =
        block
            .group(2)
            .lines()
            .map(line -> line.substring(0, line.indexOf('|')))
            .collect(Collectors.joining())
            .replace(" ", "");
    return new HexBlock(FrameType.valueOf(block.group(1)), hex);
  }

  private static List<Object> read(byte[] bytes) throws MalformedFrameException {
    return Frames.readAll(new FrameDecoder(Frames.MAX_BODY_BYTES), ByteBuffer.wrap(bytes));
  }

  @Test
  void session_everyBlock_isOneFrameOfItsTypeAndWrittenTheSame() throws Exception {
    for (HexBlock block : session()) {
      FrameDecoder decoder = new FrameDecoder(Frames.MAX_BODY_BYTES);
      assertThat(decoder.next(ByteBuffer.wrap(block.bytes()))).isTrue();
      assertThat(decoder.type()).isEqualTo(block.type());
      List<Object> frames = read(block.bytes());
      assertThat(frames).hasSize(1);
      assertThat(Frames.write(frames)).as("%s", block.type()).isEqualTo(block.bytes());
    }
  }

  @Test
  void session_fromHelloToGoodbye_saysWhatItsWordsSay() throws Exception {
    List<Object> frames = new ArrayList<>();
    for (HexBlock block : session()) {
      frames.addAll(read(block.bytes()));
    }
    assertThat(frames).hasSize(12);
    assertThat(frames.subList(0, 3))
        .containsExactly(Frames.HELLO, Frames.WELCOME, new Frame.Series(1, Frames.DEFINITION));
    assertIsInterval(frames.get(3), 1, 1, 0, HistogramEncoding.V2);
    assertThat(frames.get(4)).isEqualTo(new Frame.Ack(1));
    assertIsInterval(frames.get(5), 2, 7, 1000, HistogramEncoding.V2_COMPRESSED);
    assertThat(frames.get(6))
        .isEqualTo(
            new Frame.Reject(
                Frame.Reject.Scope.INTERVAL,
                2,
                RejectReason.UNKNOWN_SERIES.code(),
                "series id 7 was not declared"));
    assertThat(frames.get(7)).isEqualTo(new Frame.Ack(2));
    assertThat(frames.get(8)).isEqualTo(new Frame.Health(Map.of("pending_intervals", 0L)));
    assertThat(frames.get(9)).isEqualTo(new Frame.Goodbye());
  }

  /** Behind the session of a client: the fields that only sidecars write. */
  @Test
  void session_betweenSidecars_saysWhereAndTheWayUp() throws Exception {
    List<HexBlock> blocks = session();
    Labels resource = Labels.of("namespace", "prod", "pod", "shop-1");
    InstanceId instance = new InstanceId(0xffeeddccbbaa9988L, 0x7766554433221100L);

    assertThat(read(blocks.get(10).bytes()))
        .containsExactly(new Frame.Hello(1, instance, Labels.empty(), "secret", resource));
    List<InstanceId> above = List.of(new InstanceId(1, 2), new InstanceId(3, 4));
    assertThat(read(blocks.get(11).bytes()))
        .containsExactly(new Frame.Welcome(1, 41, 1 << 20, 64, 1, above));
  }

  private static void assertIsInterval(
      Object frame, long sequence, int seriesId, long laterMillis, int cookieBase)
      throws MalformedFrameException {
    assertThat(frame).isInstanceOf(Frames.Interval.class);
    Frames.Interval interval = (Frames.Interval) frame;
    byte[] payload = interval.payloadBytes();
    IntervalHeader first = Frames.FIGURES;
    assertThat(interval.sequence()).isEqualTo(sequence);
    assertThat(interval.seriesId()).isEqualTo(seriesId);
    assertThat(interval.header())
        .isEqualTo(
            new IntervalHeader(
                first.startMillis() + laterMillis,
                first.endMillis() + laterMillis,
                first.count(),
                first.sumMinMax()));
    assertThat(HistogramEncoding.base(ByteBuffer.wrap(payload).getInt())).isEqualTo(cookieBase);
    assertCounts(payload);
  }

  private static void assertCounts(byte[] payload) throws MalformedFrameException {
    Histogram expected = new Histogram(1, 3_600_000_000_000L, 3);
    expected.recordValue(1_000_000);
    expected.recordValueWithCount(1_500_000, 2);
    DecodedHistogram decoded = new DecodedHistogram();
    try (HistogramDecoder decoder = new HistogramDecoder(1 << 17)) {
      decoder.decode(payload, 0, payload.length, decoded);
    }
    assertThat(RandomHistograms.bucketsOf(decoded)).isEqualTo(RandomHistograms.bucketsOf(expected));
  }

  /** The raw payload, too, is what HdrHistogram writes for the values the text names. */
  @Test
  void session_rawPayload_isByteIdenticalToHdrHistogram() throws Exception {
    Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
    histogram.recordValue(1_000_000);
    histogram.recordValueWithCount(1_500_000, 2);
    Frames.Interval interval = (Frames.Interval) read(session().get(3).bytes()).get(0);
    assertThat(interval.payloadBytes()).isEqualTo(RandomHistograms.rawBytesOf(histogram));
  }

  @Test
  void session_shows_everyTypeOfFrame() throws Exception {
    assertThat(session().stream().map(HexBlock::type)).contains(FrameType.values());
  }

  @Test
  void tables_ofTypesAndReasons_areThoseOfTheCode() throws Exception {
    Map<String, Integer> expected = new LinkedHashMap<>();
    Arrays.stream(FrameType.values()).forEach(type -> expected.put(type.name(), type.code()));
    Arrays.stream(RejectReason.values())
        .forEach(reason -> expected.put(reason.label(), reason.code()));
    Map<String, Integer> documented = new LinkedHashMap<>();
    TABLE_ROW
        .matcher(document())
        .results()
        .forEach(row -> documented.put(row.group(2), Integer.valueOf(row.group(1))));
    assertThat(documented).isEqualTo(expected);
  }
}
