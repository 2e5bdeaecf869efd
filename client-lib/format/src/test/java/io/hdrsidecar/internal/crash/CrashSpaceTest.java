package io.hdrsidecar.internal.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CrashSpaceTest {
  private static final int THREADS = 8;
  private static final int BLOCKS = 500;

  @RegisterExtension final MemoryFolder folder = new MemoryFolder();

  /** Who finds no room has its value on the heap, where a kill takes it. */
  @Test
  void allocate_byManyThreadsAtOnce_findsRoomForAllUntilTheFileIsFull() throws Exception {
    CrashRig rig = CrashRig.in(folder.path(), 64 << 20);
    Callable<List<Integer>> taking =
        () -> {
          List<Integer> blocks = new ArrayList<>();
          for (int i = 0; i < BLOCKS; i++) {
            blocks.add(rig.file().allocate(CrashLayout.PAGE_BYTES));
          }
          return blocks;
        };
    List<Integer> taken = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<List<Integer>>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        all.add(threads.submit(taking));
      }
      for (Future<List<Integer>> blocks : all) {
        taken.addAll(blocks.get());
      }
    } finally {
      threads.shutdown();
    }

    assertThat(taken).doesNotContain(0).hasSize(THREADS * BLOCKS);
    assertThat(new HashSet<>(taken)).hasSize(THREADS * BLOCKS);
    rig.file().close();
  }

  /** Whoever ends an application interrupts its group, and in it each thread that one has made. */
  @Test
  void allocate_byAGroupThatIsInterrupted_keepsTheLockOfTheFile() throws Exception {
    CrashRig rig = CrashRig.in(folder.path(), 64 << 20);
    ThreadGroup group = new ThreadGroup("application");
    Thread taking =
        new Thread(
            group,
            () -> {
              while (rig.file().allocate(CrashLayout.PAGE_BYTES) != 0) {
                Thread.interrupted();
              }
            });
    taking.start();
    while (taking.isAlive()) {
      group.interrupt();
    }

    rig.file().alive(CrashRig.NOW);
    assertThat(rig.file().isClosed()).isFalse();
    assertThat(rig.file().usedBytes()).isGreaterThan(60 << 20);
    rig.file().close();
  }
}
