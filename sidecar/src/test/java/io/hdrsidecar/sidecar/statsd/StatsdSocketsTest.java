package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hdrsidecar.sidecar.config.StatsdConfig;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where Unix sockets can be, and what is said where one cannot. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StatsdSocketsTest {
  private final Path folder;

  StatsdSocketsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static void open(StatsdTransport transport, String setting, Path path, Runnable whenOpen)
      throws IOException {
    CountingIntake counting = new CountingIntake();
    StatsdConfig config = SettingRecords.of(StatsdConfig.class, Map.of(setting, path.toString()));
    StatsdSockets sockets = new StatsdSockets(config, counting.share);
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.handlers());
    try {
      sockets.open(transport, loop, counting.intake);
      whenOpen.run();
    } finally {
      sockets.close();
      sockets.removeFiles();
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  /** In the longest folder: it is there that the socket is first. */
  private Path longest() throws IOException {
    String above = folder.toString();
    Path path = Path.of(above, "d".repeat(97 - above.length()), "s");
    Files.createDirectory(path.getParent());
    assertThat(path.toString()).hasSize(100);
    return path;
  }

  @Test
  void open_streamAtTheLongestPathThatTheSettingTakes_isThere() throws Exception {
    Path path = longest();

    open(
        StatsdTransport.ofJava(),
        StatsdConfig.UNIX_STREAM,
        path,
        () -> assertThat(path.getParent()).isDirectoryContaining(path::equals));

    assertThat(path.getParent()).isEmptyDirectory();
  }

  @Test
  void open_datagramAtTheLongestPathThatTheSettingTakes_isThere() throws Exception {
    assumeThat(Epoll.isAvailable()).as("Netty's native library").isTrue();
    Path path = longest();

    open(
        StatsdTransport.ofNative(path),
        StatsdConfig.UNIX_DATAGRAM,
        path,
        () -> assertThat(path.getParent()).isDirectoryContaining(path::equals));

    assertThat(path.getParent()).isEmptyDirectory();
  }

  @Test
  void open_whereTheKernelRefuses_namesTheSettingThePathAndTheReason() {
    Path path = folder.resolve("s");
    Path missing = folder.resolve("none").resolve("s");
    StatsdTransport java = StatsdTransport.ofJava();
    StatsdTransport elsewhere =
        new StatsdTransport(
            java.handlers(),
            java.udp(),
            null,
            java.unixStream(),
            hidden -> UnixDomainSocketAddress.of(missing));

    assertThatThrownBy(() -> open(elsewhere, StatsdConfig.UNIX_STREAM, path, () -> {}))
        .hasMessageStartingWith("statsd.unix-stream: cannot listen on " + path + ": ")
        .hasMessageContaining("No such file or directory");
    assertThat(folder).isEmptyDirectory();
  }
}
