package io.hdrsidecar.sidecar.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What PROTOCOL.md says the sidecar answers to its session, it answers, byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProtocolSessionTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```frame (\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Set<String> FROM_THE_SIDECAR = Set.of("WELCOME", "ACK", "REJECT");

  @SuppressWarnings("ArrayRecordComponent") // compared by their fields
  private record Block(String type, byte[] bytes) {
    static Block of(MatchResult found) {
      String hex =
          found
              .group(2)
              .lines()
              .map(line -> line.substring(0, line.indexOf('|')))
              .collect(Collectors.joining())
              .replace(" ", "");
      return new Block(found.group(1), HexFormat.of().parseHex(hex));
    }
  }

  private static byte[] encoded(Frame frame) {
    FrameEncoder out = new FrameEncoder();
    if (frame instanceof Frame.Welcome welcome) {
      // This peer is on the same machine, where the sidecar does not ask for deflated payloads.
      return out.welcome(
              new Frame.Welcome(
                  welcome.version(),
                  welcome.lastSequence(),
                  welcome.maxBodyBytes(),
                  welcome.maxInFlight(),
                  1))
          .take();
    }
    if (frame instanceof Frame.Reject reject) {
      return out.reject(
              reject.scope(),
              reject.reference(),
              RejectReason.ofCode(reject.code()).orElseThrow(),
              reject.message())
          .take();
    }
    return out.ack(((Frame.Ack) frame).sequence()).take();
  }

  @Test
  void session_sentAsItStands_isAnsweredAsItSays() throws Exception {
    String document = Files.readString(Path.of("..", "PROTOCOL.md"));
    List<Block> session =
        BLOCK
            .matcher(document.substring(0, document.indexOf("### Between sidecars")))
            .results()
            .map(Block::of)
            .toList();
    assertThat(session).extracting(Block::type).contains("HELLO", "REJECT", "GOODBYE");
    ReceiveLimits limits =
        SettingRecords.of(ReceiveLimits.class, Map.of("ingest.max-in-flight", "64"));
    try (RunningServer sidecar = new RunningServer(limits, MergeConfig.defaults(), null);
        FrameClient client = sidecar.connect()) {
      for (Block block : session) {
        if (FROM_THE_SIDECAR.contains(block.type())) {
          assertThat(encoded(client.next())).as(block.type()).isEqualTo(block.bytes());
        } else {
          client.send(block.bytes());
        }
      }
      assertThat(client.next()).isEqualTo(new Frame.Ack(2)); // of GOODBYE
      client.awaitClose();
      assertThat(sidecar.total("checkout", "route", "/pay", "service", "shop").count())
          .isEqualTo(3);
    }
  }
}
