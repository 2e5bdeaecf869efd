package io.hdrsidecar.sidecar.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  private final Path folder;

  WholeFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void text_ofAFileWithinTheLimit_isAllOfIt() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "größe\n");

    assertThat(WholeFile.text(file, 8)).isEqualTo("größe\n");
  }

  @Test
  void text_beyondTheLimit_namesBothSizes() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "123456789");

    assertThatThrownBy(() -> WholeFile.text(file, 8))
        .isInstanceOf(IOException.class)
        .hasMessage("must have at most 8 bytes, has 9: " + file);
  }

  @Test
  void text_ofNothing_saysSo() {
    Path file = folder.resolve("absent");

    assertThatThrownBy(() -> WholeFile.text(file, 8)).hasMessage("no such file: " + file);
  }

  @Test
  void text_ofAFolder_saysSo() {
    assertThatThrownBy(() -> WholeFile.text(folder, 8))
        .hasMessage("must be a file, is a folder: " + folder);
  }

  @Test
  void text_ofADevice_isNotOpened() {
    assertThatThrownBy(() -> WholeFile.text(Path.of("/dev/zero"), 8))
        .hasMessage("must be a regular file: /dev/zero");
  }

  @Test
  void text_ofOtherBytes_saysWhatIsExpected() throws IOException {
    Path file = Files.write(folder.resolve("a"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThatThrownBy(() -> WholeFile.text(file, 8))
        .hasMessage("must be text in UTF-8, has other bytes: " + file);
  }
}
