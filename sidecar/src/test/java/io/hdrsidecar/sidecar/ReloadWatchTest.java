package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadWatchTest {
  private final Path folder;
  private final Path file;
  private int reloads;
  private final ReloadWatch watch;

  ReloadWatchTest(@TempDir Path folder) {
    this.folder = folder;
    this.file = folder.resolve("sla.yaml");
    this.watch = new ReloadWatch(() -> List.of(file), () -> reloads++);
  }

  @Test
  void look_first_reloadsAndOnceOnly() throws Exception {
    Files.writeString(file, "slas: []");

    watch.look();
    watch.look();

    assertThat(reloads).isEqualTo(1);
  }

  @Test
  void look_folderExchangedAsForAConfigMap_reloads() throws Exception {
    publish("1", "slas: []");
    Files.createSymbolicLink(file, Path.of("..data", "sla.yaml"));
    watch.look();

    publish("2", "slas: [] ");
    watch.look();

    assertThat(reloads).isEqualTo(2);
  }

  /** As the kubelet does: a new folder, and a symbolic link to it that replaces the one before. */
  private void publish(String version, String text) throws Exception {
    Path data = Files.createDirectory(folder.resolve("..version_" + version));
    Files.writeString(data.resolve("sla.yaml"), text);
    Path link = folder.resolve("..data_tmp");
    Files.createSymbolicLink(link, data.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void look_fileGoneAndBack_reloadsForEach() throws Exception {
    Files.writeString(file, "slas: []");
    watch.look();

    Files.delete(file);
    watch.look();
    watch.look();
    Files.writeString(file, "slas: []");
    watch.look();

    assertThat(reloads).isEqualTo(3);
  }

  @Test
  void look_contentsChangedDuringReload_reloadsAgain() throws Exception {
    Files.writeString(file, "1");
    ReloadWatch hurried =
        new ReloadWatch(
            () -> List.of(file),
            () -> {
              reloads++;
              write("2");
            });

    hurried.look();
    hurried.look();
    hurried.look();

    assertThat(reloads).isEqualTo(2);
  }

  private void write(String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
