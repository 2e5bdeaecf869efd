package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The token in HELLO. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TokenTest {
  private final Path file;
  private final InstanceId instance = InstanceId.random();

  TokenTest(@TempDir Path folder) {
    this.file = folder.resolve("tokens");
  }

  private RunningServer start(String tokens) throws Exception {
    Files.writeString(file, tokens);
    return new RunningServer(
        new ReceiveConfig(
            "127.0.0.1",
            0,
            null,
            new AccessConfig(null, file),
            ReceiveLimits.defaults(),
            SettingRecords.of(ResourceConfig.class, Map.of())),
        MergeConfig.defaults());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "wrong", "s3cret2"})
  void hello_tokenMissingOrWrong_isRefusedAndClosed(String token) throws Exception {
    try (RunningServer sidecar = start("s3cret");
        FrameClient client = sidecar.connect()) {
      client.sendHelloWithToken(instance, token);

      assertThat(client.rejectedWith(Frame.Reject.Scope.CONNECTION))
          .isEqualTo(RejectReason.UNAUTHORIZED);
      client.awaitClose();
      assertThat(sidecar.rejected(RejectReason.UNAUTHORIZED)).isEqualTo(1);
      assertThat(sidecar.server().counters().instances()).isZero();
    }
  }

  @Test
  void hello_rightToken_isWelcomed() throws Exception {
    try (RunningServer sidecar = start("s3cret");
        FrameClient client = sidecar.connect()) {
      client.sendHelloWithToken(instance, "s3cret");
      assertThat(client.next()).isInstanceOf(Frame.Welcome.class);
      client.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);

      assertThat(sidecar.total("x").count()).isEqualTo(1);
    }
  }

  @Test
  void hello_wrongTokenOfAnInstanceThatIsConnected_doesNotTakeItOver() throws Exception {
    try (RunningServer sidecar = start("s3cret");
        FrameClient client = sidecar.connect();
        FrameClient thief = sidecar.connect()) {
      client.sendHelloWithToken(instance, "s3cret");
      assertThat(client.next()).isInstanceOf(Frame.Welcome.class);

      thief.sendHelloWithToken(instance, "guess");
      thief.awaitClose();

      client.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
    }
  }

  @Test
  void tokens_changed_holdForWhoComesAndNotForWhoIsThere() throws Exception {
    try (RunningServer sidecar = start("old");
        FrameClient there = sidecar.connect()) {
      there.sendHelloWithToken(instance, "old");
      assertThat(there.next()).isInstanceOf(Frame.Welcome.class);

      Files.writeString(file, "new");
      sidecar.server().access().orElseThrow().refresh();

      there.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);
      try (FrameClient late = sidecar.connect();
          FrameClient fresh = sidecar.connect()) {
        late.sendHelloWithToken(InstanceId.random(), "old");
        assertThat(late.rejectedWith(Frame.Reject.Scope.CONNECTION))
            .isEqualTo(RejectReason.UNAUTHORIZED);
        fresh.sendHelloWithToken(InstanceId.random(), "new");
        assertThat(fresh.next()).isInstanceOf(Frame.Welcome.class);
      }
    }
  }
}
