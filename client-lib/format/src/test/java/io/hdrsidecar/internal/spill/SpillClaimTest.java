package io.hdrsidecar.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One at a time works on a folder, over all processes, and none for longer than it lives. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpillClaimTest {
  @TempDir Path folder = Path.of("set by JUnit");

  /** Claims a folder, says so, and holds it until it is killed, or who started it has ended. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      try (SpillClaim claim = new SpillFolder(Path.of(arguments[0])).claim().orElseThrow()) {
        System.out.println("claimed " + claim.files().size());
        System.in.read();
      }
    }
  }

  private Process started() throws Exception {
    return JavaProgram.builder(List.of(), Holder.class, List.of(folder.toString())).start();
  }

  private Process holder() throws Exception {
    Process process = started();
    assertThat(process.inputReader().readLine()).isEqualTo("claimed 0");
    return process;
  }

  @Test
  void claim_heldByAnotherProcess_isFreeOnceThatIsKilled() throws Exception {
    SpillFolder spill = new SpillFolder(folder);
    Process other = holder();
    try {
      assertThat(spill.claim()).isEmpty();
      assertThat(spill.claim()).isEmpty();
    } finally {
      other.destroyForcibly().waitFor();
    }

    try (SpillClaim claim = spill.claim().orElseThrow()) {
      assertThat(claim.files()).isEmpty();
    }
  }

  @Test
  void claim_heldInThisProcess_isFreeOnceItIsGivenUp() throws Exception {
    SpillFolder spill = new SpillFolder(folder);
    SpillClaim first = spill.claim().orElseThrow();
    assertThat(spill.claim()).isEmpty();
    assertThat(new SpillFolder(folder.resolve("..").resolve(folder.getFileName())).claim())
        .isEmpty();
    // A second attempt here must not have given up the lock that other processes see.
    assertThat(started().waitFor()).isNotZero();

    first.close();
    first.close();

    spill.claim().orElseThrow().close();
  }

  @Test
  void files_ofAFolder_areWholeOnesAndThoseLeftByTheDead() throws Exception {
    String whole = "spill-20260101T000000Z-" + "0".repeat(32) + ".hlog";
    String old = "spill-20250101T000000Z-" + "1".repeat(32) + ".hlog.tmp";
    String fresh = "spill-20250101T000000Z-" + "2".repeat(32) + ".hlog.tmp";
    for (String name : new String[] {whole, old, fresh, whole + ".bad", "notes.txt"}) {
      Files.createFile(folder.resolve(name));
    }
    Path misnamed = folder.resolve("spill-20240101T000000Z-" + "3".repeat(32) + ".hlog");
    Files.createDirectory(misnamed);
    Files.setLastModifiedTime(
        folder.resolve(old), FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));

    try (SpillClaim claim = new SpillFolder(folder).claim().orElseThrow()) {
      assertThat(claim.files())
          .containsExactly(folder.resolve(old), folder.resolve(whole), misnamed);
    }
  }

  @Test
  void claim_folderOfAGroup_letsTheGroupClaimToo() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));

    new SpillFolder(folder).claim().orElseThrow().close();

    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("spill.lock"))))
        .isEqualTo("rw-rw----");
  }
}
