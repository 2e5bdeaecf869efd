package io.hdrsidecar.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else may write to the folder, and puts there what harms who trusts names. */
class HostileFolderTest {
  private static final InstanceId INSTANCE = new InstanceId(1, 2);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Far above what any machine takes; without it a test that hangs would do so for ever. */
  private static final Duration HANGS = Duration.ofMinutes(1);

  @TempDir Path temporary = Path.of("set by JUnit");
  private Path victim = Path.of("set before each test");
  private Path path = Path.of("set before each test");
  private SpillFolder folder = new SpillFolder(path);

  @BeforeEach
  void prepare() throws IOException {
    victim = Files.writeString(temporary.resolve("victim"), "precious");
    path = Files.createDirectory(temporary.resolve("spill"));
    folder = new SpillFolder(path);
  }

  private static void makePipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).inheritIO().start().waitFor())
        .isZero();
  }

  private void assertClaimFails(String why) {
    assertTimeoutPreemptively(
        HANGS,
        () ->
            assertThatThrownBy(folder::claim)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why));
  }

  @Test
  void claim_lockIsAPipe_failsInsteadOfWaiting() throws Exception {
    makePipe(path.resolve("spill.lock"));

    assertClaimFails("must be a regular file, and is a named pipe");

    Files.delete(path.resolve("spill.lock"));
    folder.claim().orElseThrow().close();
  }

  @Test
  void claim_lockIsALinkToNothing_makesNoFileThere() throws Exception {
    Path elsewhere = temporary.resolve("elsewhere");
    Files.createSymbolicLink(path.resolve("spill.lock"), elsewhere);

    assertClaimFails("is a symbolic link");

    assertThat(elsewhere).doesNotExist();
  }

  @Test
  void claim_lockIsALinkToAFile_leavesItsPermissionsAlone() throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwx---"));
    Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-------"));
    Files.createSymbolicLink(path.resolve("spill.lock"), victim);

    assertClaimFails("is a symbolic link");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)))
        .isEqualTo("rw-------");
  }

  @Test
  void begin_nameIsALinkToAFile_writesUnderAnotherNameAndNotThroughIt() throws Exception {
    Path planted = SpillFolder.temporary(folder.complete(INSTANCE, NOW));
    Files.createSymbolicLink(planted, victim);

    try (SpillWriter writer = SpillWriter.begin(folder, INSTANCE, Labels.empty(), NOW)) {
      assertThat(writer.complete()).isEqualTo(folder.complete(INSTANCE, NOW.plusSeconds(1)));
    }

    assertThat(victim).hasContent("precious");
    assertThat(Files.isSymbolicLink(planted)).isTrue();
  }

  @Test
  void begin_allNamesAreTaken_failsAndTouchesNothing() throws Exception {
    for (int seconds = 0; seconds < 10; seconds++) {
      Files.createSymbolicLink(
          SpillFolder.temporary(folder.complete(INSTANCE, NOW.plusSeconds(seconds))), victim);
    }

    assertThatThrownBy(() -> SpillWriter.begin(folder, INSTANCE, Labels.empty(), NOW))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(".tmp");

    assertThat(victim).hasContent("precious");
  }

  @Test
  void open_whatIsNoFile_failsAndIsListedBehindTheOthers() throws Exception {
    Path pipe = folder.complete(new InstanceId(1, 1), NOW);
    Path link = folder.complete(new InstanceId(1, 2), NOW);
    Path file = folder.complete(new InstanceId(1, 3), NOW);
    makePipe(pipe);
    Files.createSymbolicLink(link, victim);
    Files.createFile(file);

    try (SpillClaim claim = folder.claim().orElseThrow()) {
      assertThat(claim.files()).containsExactly(file, pipe, link);
      assertTimeoutPreemptively(
          HANGS,
          () -> {
            for (Path each : List.of(pipe, link)) {
              assertThatThrownBy(() -> claim.open(each))
                  .isInstanceOf(IOException.class)
                  .hasMessageContaining(each + " must be a regular file");
            }
          });
      claim.open(file).close();
    }
  }

  @Test
  void files_moreThanAThousand_areTheOldestThousand() throws Exception {
    for (int i = 0; i < 1_010; i++) {
      Files.createFile(folder.complete(INSTANCE, NOW.plusSeconds(i)));
    }

    try (SpillClaim claim = folder.claim().orElseThrow()) {
      assertThat(claim.files())
          .hasSize(1_000)
          .startsWith(folder.complete(INSTANCE, NOW))
          .endsWith(folder.complete(INSTANCE, NOW.plusSeconds(999)));
    }
  }

  @Test
  void open_fileOfAStranger_failsUnlessTheFoldersGroupIsItsGroup() throws Exception {
    boolean isRoot = Files.getAttribute(victim, "unix:uid").equals(0);
    assumeTrue(isRoot, "only root can give files away");
    Path file = Files.createFile(folder.complete(INSTANCE, NOW));
    Files.setAttribute(file, "unix:uid", 4711, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:gid", 4712, LinkOption.NOFOLLOW_LINKS);

    try (SpillClaim claim = folder.claim().orElseThrow()) {
      assertThatThrownBy(() -> claim.open(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("and belongs to 4711, group 4712");
      Files.setAttribute(path, "unix:gid", 4712);
      assertThatThrownBy(() -> claim.open(file)).isInstanceOf(IOException.class);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwx---"));
      claim.open(file).close();
    }
  }
}
