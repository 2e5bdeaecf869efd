package io.hdrsidecar.sidecar;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reloads when a file of the configuration has other contents than at the last reload.
 *
 * <p>Two looks must see the same, as a file that is being written may end anywhere: what there is
 * of it can be without mistakes, and without the rules that come last.
 *
 * <p>It reads the files instead of watching their folder, as that works on every file system and
 * through symbolic links, which is how Kubernetes exchanges the files of a ConfigMap. A file that
 * cannot be read is a change, too: the reload is refused, once, and its problems say why.
 */
final class ReloadWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ReloadWatch.class.getName());

  private final Supplier<List<Path>> files;
  private final Runnable reload;
  private @Nullable Map<Path, Optional<ByteBuffer>> seen;
  private @Nullable Map<Path, Optional<ByteBuffer>> loaded;
  private @Nullable ScheduledExecutorService timer;

  /**
   * Looks at nothing yet.
   *
   * @param files asked at each look, since a reload may name others
   * @param reload what to do; on the watch's own thread
   */
  ReloadWatch(Supplier<List<Path>> files, Runnable reload) {
    this.files = files;
    this.reload = reload;
  }

  /** Looks regularly from now on; zero for never. */
  void start(Duration interval) {
    if (interval.isZero()) {
      return;
    }
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "reload-watch");
              thread.setDaemon(true);
              return thread;
            });
    var unused = // lookSafely reports what goes wrong
        timer.scheduleWithFixedDelay(
            this::lookSafely, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** An exception would end the looking, and nobody would notice. */
  private void lookSafely() {
    try {
      look();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "event=reload_watch_failed", e);
    }
  }

  /**
   * Reloads if the files have changed since the last reload, but not since the last look. The
   * second look always does: they may have changed since they were read at the start. Contents are
   * taken before the reload, so what changes during it is seen at the next look.
   */
  void look() {
    Map<Path, Optional<ByteBuffer>> now = contents(files.get());
    if (now.equals(seen) && !now.equals(loaded)) {
      loaded = now;
      reload.run();
    }
    seen = now;
  }

  private static Map<Path, Optional<ByteBuffer>> contents(List<Path> files) {
    Map<Path, Optional<ByteBuffer>> contents = new HashMap<>();
    for (Path file : files) {
      try {
        contents.put(file, Optional.of(ByteBuffer.wrap(Files.readAllBytes(file))));
      } catch (IOException e) {
        contents.put(file, Optional.empty()); // The reload that follows tells why.
      }
    }
    return contents;
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
