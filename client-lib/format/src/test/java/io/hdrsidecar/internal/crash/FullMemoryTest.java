package io.hdrsidecar.internal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system in memory that is full before the file is: to touch a page that it has no memory
 * for would end this process. Only where this process may mount one.
 */
class FullMemoryTest {
  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  @TempDir Path small = Path.of("set by JUnit");
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString());
    assumeTrue(isMounted, "may not mount");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(run("umount", "-l", small.toString())).isTrue(); // What is mapped is still in use.
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void record_untilMemoryIsFull_findsNoRoomAndKeepsWhatThereIs() throws IOException {
    CrashRig rig = CrashRig.in(small, 64 << 20);
    int made = 0;
    boolean hasRoom = true;
    while (hasRoom) {
      CrashSeries series = rig.file().series(CrashRig.definition("s" + made), CrashRig.NOW);
      CrashArea area = series == null ? null : series.owned();
      hasRoom = area != null && fill(area);
      made++;
    }
    rig.file().alive(CrashRig.NOW);

    assertThat(rig.file().isFull()).isTrue();
    assertThat(rig.file().series(CrashRig.definition("more"), CrashRig.NOW)).isNull();
    assertThat(rig.file().usedBytes()).isBetween(900_000, 1 << 20);
    Left left = Left.of(folder.path(), rig.image());
    assertThat(left.contents.damage()).isEmpty();
    assertThat(left.contents.values()).isPositive();
    rig.file().close();
  }

  /** Counts one value on each page. */
  private static boolean fill(CrashArea area) {
    for (int number = 0; number < area.pages(); number++) {
      int page = area.createPage(number);
      if (page == 0) {
        return false;
      }
      int index = number << CrashLayout.PAGE_BITS;
      area.countOwned(page, index, CrashRig.LAYOUT.lowestValueAt(index));
    }
    return true;
  }
}
