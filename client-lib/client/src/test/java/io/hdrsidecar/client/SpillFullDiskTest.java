package io.hdrsidecar.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real file system that is full: a small tmpfs, for which the test must be root. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpillFullDiskTest {
  private static final int VALUES = 20_000;

  @RegisterExtension final SmallDisk disk = SmallDisk.of("256k");

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
            .address("unix://" + disk.folder().resolve("nobody.sock"))
            .interval(Duration.ofSeconds(10))
            .spillFolder(disk.folder())
            .shutdownHook(false)
            .build());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(disk.folder())) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void close_diskIsFullBeforeTheFileIsWhole_saysSoAndLeavesNoPart() throws Exception {
    disk.fillBut(8192); // as much as a file that is begun takes, and less than it needs
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
