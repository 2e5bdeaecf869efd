package io.hdrsidecar.internal.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.testing.SmallDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A file system in memory that is full before the file is: to touch a page that it has no memory
 * for would end this process. Only where this process may mount one.
 */
class FullMemoryTest {
  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  @RegisterExtension final SmallDisk small = SmallDisk.of("1m");

  @Test
  void record_untilMemoryIsFull_findsNoRoomAndKeepsWhatThereIs() throws IOException {
    CrashRig rig = CrashRig.in(small.folder(), 64 << 20);
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

  @Test
  void create_whereNothingFits_isRefusedAndLeavesNothing() throws IOException {
    Path other = Files.write(small.folder().resolve("other"), new byte[900_000]);

    assertThatThrownBy(() -> CrashRig.in(small.folder(), 64 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no room for")
        .hasMessageContaining("give the folder more");

    assertThat(small.folder()).isDirectoryContaining(other::equals);
    assertThat(Objects.requireNonNull(small.folder().toFile().list())).hasSize(1);
  }

  /** Each value for a page that there is no room for is to cost what it costs on the heap. */
  @Test
  void createPage_whereThereIsNoRoom_asksTheFileSystemOnce() throws IOException {
    CrashRig rig = CrashRig.in(small.folder(), 64 << 20);
    CrashArea area = Objects.requireNonNull(rig.series("first").shared());
    small.fill();
    while (rig.file().allocate(CrashLayout.PAGE_BYTES) != 0) {
      // There were blocks that had memory.
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getTotalStartedThreadCount();

    for (int times = 0; times < 1_000; times++) {
      assertThat(area.createPage(1)).isZero();
    }

    assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(20); // some the JVM's
    Files.delete(small.ballast());
    rig.file().alive(CrashRig.NOW + 1_000);
    assertThat(rig.file().isFull()).isFalse();
    assertThat(area.createPage(1)).isNotZero();
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
