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
  void look_second_reloadsAndOnceOnly() throws Exception {
    Files.writeString(file, "slas: []");

    watch.look();
    assertThat(reloads).isZero();
    lookUntilTaken();
    lookUntilTaken();

    assertThat(reloads).isEqualTo(1);
  }

  /** An editor, or a shell's redirection, empties a file before it writes. */
  @Test
  void look_fileBeingWritten_reloadsWhenItIsWhole() throws Exception {
    Files.writeString(file, "slas: [{name: a}, {name: b}]");
    lookUntilTaken();

    Files.writeString(file, "");
    watch.look();
    Files.writeString(file, "slas: [{name: a}");
    watch.look();
    Files.writeString(file, "slas: [{name: a}, {name: c}]");
    watch.look();
    assertThat(reloads).isEqualTo(1);
    watch.look();

    assertThat(reloads).isEqualTo(2);
  }

  @Test
  void look_changeTakenBack_reloadsNothing() throws Exception {
    Files.writeString(file, "slas: []");
    lookUntilTaken();

    Files.writeString(file, "slas: [");
    watch.look();
    Files.writeString(file, "slas: []");
    lookUntilTaken();

    assertThat(reloads).isEqualTo(1);
  }

  /** The same must be there twice. */
  private void lookUntilTaken() {
    watch.look();
    watch.look();
  }

  @Test
  void look_folderExchangedAsForAConfigMap_reloads() throws Exception {
    publish("1", "slas: []");
    Files.createSymbolicLink(file, Path.of("..data", "sla.yaml"));
    lookUntilTaken();

    publish("2", "slas: [] ");
    lookUntilTaken();

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
    lookUntilTaken();

    Files.delete(file);
    lookUntilTaken();
    lookUntilTaken();
    Files.writeString(file, "slas: []");
    lookUntilTaken();

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

    for (int look = 0; look < 6; look++) {
      hurried.look();
    }

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
