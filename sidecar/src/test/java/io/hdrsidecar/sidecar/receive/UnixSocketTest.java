package io.hdrsidecar.sidecar.receive;

import static io.hdrsidecar.sidecar.receive.FrameClient.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixSocketTest {
  private final Path folder;

  UnixSocketTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static RunningServer listenOn(Path path) {
    return new RunningServer(ReceiveLimits.defaults(), MergeConfig.defaults(), path);
  }

  @Test
  void interval_overAUnixSocket_isMerged() throws Exception {
    Path path = folder.resolve("hdr.sock");
    try (RunningServer sidecar = listenOn(path);
        FrameClient client = new FrameClient(UnixDomainSocketAddress.of(path))) {
      assertThat(client.hello(InstanceId.random()).deflateLevel()).isZero();
      client.series(1, definition("x")).interval(1, 1, 5).awaitAck(1);

      assertThat(sidecar.total("x").count()).isEqualTo(1);
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void start_modeAndGroup_areThoseOfTheSocket() throws Exception {
    Path path = folder.resolve("hdr.sock");
    Integer gid = (Integer) Files.getAttribute(folder, "unix:gid");

    try (RunningServer sidecar = listenOn(path, "rw-rw----", gid.toString())) {
      assertThat(sidecar.server().actualPort()).isPositive();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-rw----");
      assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(gid);
      assertThat(folder).isDirectoryNotContaining("glob:**/.*");
    }
  }

  /** In the longest folder: it is there that the socket is first. */
  @Test
  void start_longestPathThatTheSettingTakes_isListenedOn() throws Exception {
    String above = folder.toString();
    Path deep = Files.createDirectory(Path.of(above, "d".repeat(97 - above.length())));
    Path path = deep.resolve("s");
    assertThat(path.toString()).hasSize(100);

    try (RunningServer sidecar = listenOn(path);
        FrameClient client = new FrameClient(UnixDomainSocketAddress.of(path))) {
      client.hello(InstanceId.random());
      assertThat(sidecar.server().actualPort()).isPositive();
    }
  }

  /** The kernel counts bytes. */
  @Test
  void config_pathOfLettersThatTakeTwoBytes_isJudgedByItsBytes() {
    assertThat(new UnixSocketConfig(Path.of("/" + "ü".repeat(49)), null, null).path()).isAbsolute();
    assertThatThrownBy(() -> new UnixSocketConfig(Path.of("/" + "ü".repeat(50)), null, null))
        .hasMessageContaining("must have at most 100 bytes, has 101: /ü");
  }

  @Test
  void prepare_beforeAnybodyListens_hidesTheSocketFromOthers() throws Exception {
    Path path = folder.resolve("hdr.sock");

    UnixSocketFile file = UnixSocketFile.prepare(new UnixSocketConfig(path, null, null));

    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file.hidden().getParent())))
        .isEqualTo("rwx------");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(file.hidden()));
      assertThat(path).doesNotExist();
      file.publish();
      assertThat(path).exists();
    }
    file.discardHidden();
    assertThat(folder).isDirectoryNotContaining("glob:**/.*");
  }

  @Test
  void start_noSuchGroup_isRefusedNamingTheSetting() {
    Path path = folder.resolve("hdr.sock");

    assertThatThrownBy(() -> listenOn(path, "rw-rw----", "no-such-group"))
        .hasMessageContaining("ingest.unix-group: no such group: no-such-group");
    assertThat(path).doesNotExist();
  }

  @Test
  void start_noSuchFolder_isRefusedNamingTheSetting() {
    Path path = folder.resolve("none/hdr.sock");

    assertThatThrownBy(() -> listenOn(path))
        .hasMessageContaining("ingest.unix-socket: no such folder: " + path.getParent());
  }

  private static RunningServer listenOn(Path path, String mode, String group) {
    return new RunningServer(
        new ReceiveConfig(
            "127.0.0.1",
            0,
            new UnixSocketConfig(path, PosixFilePermissions.fromString(mode), group),
            AccessConfig.OPEN,
            ReceiveLimits.defaults(),
            SettingRecords.of(ResourceConfig.class, Map.of())),
        MergeConfig.defaults());
  }

  @Test
  void start_socketLeftByAKilledProcess_isReplaced() throws Exception {
    Path path = folder.resolve("hdr.sock");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(path))
        .close();
    assertThat(path).exists();

    try (RunningServer sidecar = listenOn(path);
        FrameClient client = new FrameClient(UnixDomainSocketAddress.of(path))) {
      client.hello(InstanceId.random());
      assertThat(sidecar.server().actualPort()).isPositive();
    }
  }

  @Test
  void start_anotherListensThere_isRefused() throws Exception {
    Path path = folder.resolve("hdr.sock");
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(path));

      assertThatThrownBy(() -> listenOn(path)).hasMessageContaining("another process listens");
      assertThat(path).exists();
    }
  }

  @Test
  void start_pathIsAFile_isRefusedAndTheFileKept() throws Exception {
    Path path = Files.writeString(folder.resolve("notes.txt"), "mine");

    assertThatThrownBy(() -> listenOn(path)).hasMessageContaining("another kind of file");
    assertThat(path).hasContent("mine");
  }
}
