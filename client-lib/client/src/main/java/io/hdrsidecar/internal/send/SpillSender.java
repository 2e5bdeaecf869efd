package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends what earlier clients have left in the spill folder, one file at a time, on a daemon thread
 * that is there only while there is something to look at. It begins when this client is connected,
 * and again each minute, and does nothing while a sidecar or another client works on the folder.
 */
final class SpillSender {
  private static final long BETWEEN_NANOS = 60_000_000_000L;

  private final SpillFolder folder;
  private final SendConfig config;
  private final StateLog log;
  private final AtomicBoolean running = new AtomicBoolean();
  private final Queue<SendTally> results = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;
  private boolean hasStarted;
  private long startAt;

  SpillSender(SpillFolder folder, SendConfig config, StateLog log) {
    this.folder = folder;
    this.config = config;
    this.log = log.another();
  }

  /** The sending thread: the sidecar is there. */
  void startIfDue(long now) {
    if ((!hasStarted || now - startAt >= 0) && running.compareAndSet(false, true)) {
      hasStarted = true;
      startAt = now + BETWEEN_NANOS;
      Thread thread = new Thread(this::run, "hdr-sidecar-client-spill");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** The sending thread: adds up what came of it. */
  void collect(SendTally tally) {
    SendTally result = results.poll();
    while (result != null) {
      tally.recovered(result);
      result = results.poll();
    }
  }

  /** Any thread: leaves the rest to others. */
  void stop() {
    stopped = true;
  }

  private void run() {
    try {
      Optional<SpillClaim> claim = folder.claim();
      if (claim.isPresent()) {
        try (SpillClaim held = claim.get()) {
          pickUp(held);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failed(folder.path(), e);
    } finally {
      running.set(false);
    }
  }

  private void pickUp(SpillClaim claim) throws IOException {
    for (Path file : claim.files()) {
      if (!stopped) {
        SpillReplay replay = new SpillReplay(file, config, log);
        try {
          replay.run(claim, () -> stopped);
        } catch (IOException | RuntimeException | Error e) {
          failed(file, e); // The next file may do, whatever was in this one.
        } finally {
          results.add(replay.tally());
        }
      }
    }
  }

  private void failed(Path what, Throwable e) {
    log.once(what.toString(), Level.WARNING, "cannot pick up what was left in " + what + ": " + e);
  }
}
