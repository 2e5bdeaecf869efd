package io.hdrsidecar.internal.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client closes it delivers itself: nobody else may count it, whoever has the file. */
class CrashCloseTest {
  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  private CrashRig rig;

  @BeforeEach
  void record() throws IOException {
    rig = CrashRig.in(folder.path(), CrashRig.BYTES);
    CrashSeries series = rig.series("waits");
    rig.record(series, 1, 2, 3);
    rig.frame(series, 1, 1);
  }

  /** As in a folder that has become read-only. */
  @Test
  void close_ofAFileThatStays_leavesNothingToCount() throws IOException {
    Path stays = folder.path().resolve(Left.OTHER_PROCESS);
    Files.createLink(stays, rig.file().path());

    rig.file().close();

    assertThat(Left.in(folder.path()))
        .singleElement()
        .satisfies(left -> assertThat(left.contents.isWhole()).isTrue())
        .satisfies(left -> assertThat(left.contents.instance()).isNull())
        .satisfies(left -> assertThat(left.intervals).isEmpty());
  }

  @Test
  void close_afterSomebodyHasOpenedTheFile_isNoDeath() throws IOException {
    try (SpillClaim claim = new SpillFolder(folder.path()).claim().orElseThrow();
        SpillFile opened = claim.open(rig.file().path())) {
      rig.file().close();

      assertThat(opened.isLeft()).isFalse();
      assertThat(Left.read(opened).intervals).isEmpty();
    }
  }

  /** It got its name when it was whole; so its state is damaged. */
  @Test
  void read_fileWithItsNameAndTheStateOfOneThatIsMade_isRefused() throws IOException {
    byte[] image = rig.image();
    ByteBuffer.wrap(image).order(ByteOrder.nativeOrder()).putInt(CrashLayout.STATE, 0);

    assertThat(Left.of(folder.path(), image).contents.damage()).contains("header is damaged");
    rig.file().close();
  }

  /** Its process has died over it, and nothing was recorded into it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, CrashRig.BYTES})
  void read_fileWithoutItsName_isEmptyAndWhole(int length) throws IOException {
    byte[] image = Arrays.copyOf(rig.image(), length);
    Arrays.fill(image, Math.min(12, length), Math.min(16, length), (byte) 0);
    Path made = SpillFolder.temporary(folder.path().resolve(Left.OTHER_PROCESS));
    Files.write(made, image);

    try (SpillClaim claim = new SpillFolder(folder.path()).claim().orElseThrow();
        SpillFile file = claim.open(made)) {
      Left left = Left.read(file);

      assertThat(left.contents.isWhole()).isTrue();
      assertThat(left.intervals).isEmpty();
    }
    rig.file().close();
  }
}
