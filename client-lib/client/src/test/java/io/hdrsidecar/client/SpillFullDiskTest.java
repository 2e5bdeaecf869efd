package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is full: a small tmpfs, for which the test must be root. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpillFullDiskTest {
  private static final String REQUIRED = "HDR_SIDECAR_REQUIRE_REAL_PARTS";
  private static final int VALUES = 20_000;

  @TempDir Path folder = Path.of("set by JUnit");

  @BeforeEach
  void mount() throws Exception {
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder.toString());
    if (!mounted && Boolean.parseBoolean(System.getenv(REQUIRED))) {
      throw new AssertionError("cannot mount a tmpfs, but " + REQUIRED + "=true");
    }
    assumeTrue(mounted, "cannot mount a tmpfs");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", folder.toString());
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(List.of(command)).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Leaves as many bytes as a file that is begun takes, and fewer than it needs. */
  private void fillBut(int bytes) throws IOException {
    Path ballast = folder.resolve("ballast");
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] block = new byte[4096];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(Files.size(ballast)).as(full.toString()).isGreaterThan(bytes);
    }
    try (FileChannel channel = FileChannel.open(ballast, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - bytes);
    }
  }

  private DeliveryResult closeWithoutSidecar(HdrSidecarClient client) {
    SplittableRandom random = new SplittableRandom(1);
    LatencyRecorder recorder = client.recorder("calls");
    for (int i = 0; i < VALUES; i++) {
      recorder.record(random.nextLong(1L << 40));
    }
    return client.close(Duration.ofMillis(10));
  }

  private HdrSidecarClient client() {
    return HdrSidecarClient.create(
        ClientConfig.builder()
            .address("unix://" + folder.resolve("nobody.sock"))
            .interval(Duration.ofSeconds(10))
            .spillFolder(folder)
            .shutdownHook(false)
            .build());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void close_diskIsFullBeforeTheFileIsWhole_saysSoAndLeavesNoPart() throws Exception {
    fillBut(8192);
    HdrSidecarClient client = client();

    DeliveryResult result = closeWithoutSidecar(client);

    assertThat(result).isEqualTo(new DeliveryResult(false, 1, VALUES));
    assertThat(client.health().lostValues()).isEqualTo(Map.of("spill_failed", (long) VALUES));
    assertThat(files()).containsExactly("ballast");
  }

  @Test
  void close_diskHasRoom_writesTheFile() throws Exception {
    DeliveryResult result = closeWithoutSidecar(client());

    assertThat(result.spilledValues()).isEqualTo(VALUES);
    assertThat(files()).hasSize(1);
  }
}
