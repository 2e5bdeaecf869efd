package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.crash.CrashFault;
import io.hdrsidecar.internal.crash.PickupReader;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillReader;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.sidecar.receive.SpilledIntervals.NewSeries;
import io.hdrsidecar.sidecar.receive.SpilledIntervals.SpillStep;
import io.hdrsidecar.sidecar.receive.SpilledIntervals.SpilledInterval;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks into a folder of what clients have left, at start and then every few seconds, and picks up
 * one file after the other: reads it to its end to see what it is worth, merges it in steps on the
 * merge context, waits until that is durable, and deletes it. Of a damaged spill file it merges
 * what can be read, since each record has its own checksum and number, and sets the rest aside; a
 * damaged crash file it sets aside whole. A crash file is picked up once the kernel says that its
 * process is dead.
 *
 * <p>{@link SpillFolder} says why that is once, wherever this process ends. Reading blocks, so this
 * has a thread of its own; a full journal holds it up like a client.
 */
final class SpillPickup implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SpillPickup.class.getName());

  /** The bytes that may wait for the merge context at a time, if the heap is large enough. */
  private static final int STEP_BYTES = 256 << 10;

  private static final int STEP_LENGTH = 64;

  /** A million intervals of a kilobyte: no client has more at its end. */
  private static final long MAX_FILE_BYTES = 1 << 30;

  /** The longest body of clients that no sidecar has told its own limit yet. */
  private static final int USUAL_BODY_BYTES = 1 << 20;

  /**
   * Of what reading may hold, definitions have eight twelfths, a step one, and a longest payload a
   * half, as it stands in a line, a frame and the next step, and lines double while they grow.
   */
  private static final int PARTS = 24;

  private static final int DEFINITION_PARTS = 16;
  private static final int STEP_PARTS = 2;

  private static final long JOIN_MILLIS = 2_000;

  private final PickupFolder config;
  private final SpillFolder folder;
  private final ConnectionContext shared;
  private final SpillCounters counters;
  private final Executor mergeContext;
  private final SpillLimits limits;
  private final int stepBytes;
  private final Thread thread;

  /** Merged, but the file system does not let go of them. */
  private final Set<Path> merged = new HashSet<>();

  private final Map<Path, String> problems = new HashMap<>();

  /** Files that ended in an Error: whatever that was, this process does not try them again. */
  private final Set<Path> abandoned = new HashSet<>();

  private volatile boolean stopped;

  /**
   * Nothing picked up yet.
   *
   * @param config where, and how often
   * @param heapBytes what reading files may hold
   */
  SpillPickup(
      PickupFolder config, ConnectionContext shared, long heapBytes, Executor mergeContext) {
    this.config = config;
    this.folder = new SpillFolder(config.folder());
    this.shared = shared;
    this.counters = new SpillCounters(config.name());
    this.mergeContext = mergeContext;
    this.limits =
        SpillLimits.of(
            MAX_FILE_BYTES,
            shared.sink().maxCounters(),
            (int)
                Math.min(
                    heapBytes / PARTS, Math.max(shared.limits().maxBodyBytes(), USUAL_BODY_BYTES)),
            heapBytes / PARTS * DEFINITION_PARTS);
    this.stepBytes = (int) Math.min(STEP_BYTES, heapBytes / PARTS * STEP_PARTS);
    this.thread = new Thread(this::run, "hdr-sidecar-" + config.name());
    thread.setDaemon(true);
  }

  /** Begins; the store must be ready to merge. */
  void start() {
    thread.start();
  }

  SpillCounters counters() {
    return counters;
  }

  private void run() {
    try {
      while (!stopped) {
        scan();
        TimeUnit.NANOSECONDS.sleep(config.scanInterval().toNanos());
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "event={0}_stopped", config.name(), e);
    }
  }

  private void scan() throws InterruptedException {
    try {
      Optional<SpillClaim> claim = folder.claim();
      if (claim.isPresent()) {
        try (SpillClaim held = claim.get()) {
          pickUpAll(held);
        }
        counters.scanned(System.currentTimeMillis());
      }
      problems.remove(config.folder());
    } catch (IOException | RuntimeException | Error e) {
      failed(config.folder(), e);
    }
  }

  private void pickUpAll(SpillClaim claim) throws IOException, InterruptedException {
    List<Path> files = claim.files();
    merged.retainAll(files);
    abandoned.retainAll(files);
    problems.keySet().retainAll(files);
    for (Path file : files) {
      if (!abandoned.contains(file)) {
        pickUpOrSay(claim, file);
      }
    }
  }

  /** Whatever is wrong with a file, the next one may do. */
  private void pickUpOrSay(SpillClaim claim, Path file) throws InterruptedException {
    try {
      pickUp(claim, file);
    } catch (IOException | RuntimeException e) {
      failed(file, e);
    } catch (Error e) {
      abandoned.add(file);
      failed(file, e);
    }
  }

  /** Says each problem once: a folder that is missing is missing at every scan. */
  private void failed(Path what, Throwable e) {
    OutOfMemory.endIfIn(e);
    counters.failure();
    if (!e.toString().equals(problems.put(what, e.toString()))) {
      LOG.log(Level.WARNING, "event={0}_failed file={1} cause={2}", config.name(), what, e);
    }
  }

  private void pickUp(SpillClaim claim, Path file) throws IOException, InterruptedException {
    if (merged.contains(file)) {
      claim.delete(file); // The last attempt failed.
      return;
    }
    SpillContents contents;
    boolean isCrashFile;
    try (SpillFile opened = claim.open(file)) {
      if (!opened.isLeft()) {
        return; // Its process lives.
      }
      isCrashFile = opened.isCrashFile();
      if (opened.size() > limits.maxFileBytes()) {
        setAsideUnread(claim, opened);
        return;
      }
      long now = System.currentTimeMillis();
      contents = PickupReader.read(opened, limits, now, SpillReader.IGNORING);
      point(opened, "recovery-read");
      if (contents.damage().isEmpty()) {
        merge(opened, now);
      }
    }
    if (contents.isWhole()) {
      merged.add(file);
      counters.fileMerged();
      LOG.log(
          contents.intervals() == 0 ? Level.DEBUG : Level.INFO,
          "event={0}_picked_up file={1} instance={2} intervals={3} values={4} age={5}s",
          config.name(),
          file,
          String.valueOf(contents.instance()),
          String.valueOf(contents.intervals()),
          String.valueOf(contents.values()),
          String.valueOf(contents.ageSeconds(System.currentTimeMillis())));
      claim.delete(file);
      if (isCrashFile) {
        CrashFault.point("recovery-deleted");
      }
    } else {
      setAside(claim.setAside(file), contents);
    }
  }

  private static void point(SpillFile file, String name) {
    if (file.isCrashFile()) {
      CrashFault.point(name);
    }
  }

  private void setAsideUnread(SpillClaim claim, SpillFile file) throws IOException {
    Path aside = claim.setAside(file.path());
    counters.fileDamaged(0);
    LOG.log(
        Level.WARNING,
        "event={0}_too_large file={1} bytes={2} most={3}: not read",
        config.name(),
        aside,
        String.valueOf(file.size()),
        String.valueOf(limits.maxFileBytes()));
  }

  private void setAside(Path file, SpillContents contents) {
    counters.fileDamaged(contents.damaged());
    LOG.log(
        Level.WARNING,
        "event={0}_damaged file={1} intervals={2} damaged={3} {4}",
        config.name(),
        file,
        String.valueOf(contents.intervals()),
        String.valueOf(contents.damaged()),
        contents.damage().isEmpty() ? "what can be read is merged" : contents.damage());
  }

  /** Merges the file, and returns when all of it is durable. */
  private void merge(SpillFile file, long nowMillis) throws IOException, InterruptedException {
    StepCollector steps = new StepCollector(new SpilledIntervals(shared, counters));
    try {
      SpillContents read = PickupReader.read(file, limits, nowMillis, steps);
      if (!read.damage().isEmpty()) {
        throw new IOException(file.path() + " has changed while it was read: " + read.damage());
      }
      steps.hand();
      point(file, "recovery-merged");
      await(done -> shared.log().whenDurable(() -> done.complete(true)));
      point(file, "recovery-durable");
    } catch (CancellationException e) {
      throw (InterruptedException) new InterruptedException().initCause(e);
    }
  }

  /** Runs a task on the merge context, and waits until it says that it is done. */
  private void await(Consumer<CompletableFuture<Boolean>> task) throws InterruptedException {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    mergeContext.execute(
        () -> {
          try {
            task.accept(done);
          } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
          }
        });
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot be merged: " + e.getCause(), e.getCause());
    }
  }

  /** Gathers what is read until it is worth a turn of the merge context. */
  private final class StepCollector implements SpillVisitor {
    private final SpilledIntervals to;
    private List<SpillStep> gathered = new ArrayList<>();
    private long bytes;
    private boolean hasBegun;

    StepCollector(SpilledIntervals to) {
      this.to = to;
    }

    @Override
    public void series(int id, SeriesDefinition definition) {
      if (id == 1 && hasBegun) {
        hand();
        CrashFault.point("recovery-part");
      }
      hasBegun = true;
      add(new NewSeries(id, definition), definition.heapBytes());
    }

    @Override
    public void interval(
        InstanceId instance, long sequence, int seriesId, long values, byte[] frame) {
      add(new SpilledInterval(instance, sequence, values, ByteBuffer.wrap(frame)), frame.length);
    }

    @Override
    public void tooLarge(InstanceId instance, long sequence, int seriesId) {
      add(new SpilledInterval(instance, sequence, 0, null), 0);
    }

    private void add(SpillStep step, long length) {
      gathered.add(step);
      bytes += length;
      if (gathered.size() >= STEP_LENGTH || bytes >= stepBytes) {
        hand();
      }
    }

    void hand() {
      List<SpillStep> handed = gathered;
      gathered = new ArrayList<>();
      bytes = 0;
      try {
        await(done -> take(handed, done));
      } catch (InterruptedException e) {
        throw (CancellationException) new CancellationException().initCause(e);
      }
    }

    /** Merge context. What is behind waits while the journal has no room, like clients. */
    private void take(List<SpillStep> handed, CompletableFuture<Boolean> done) {
      to.take(handed);
      if (shared.log().isFull()) {
        shared.log().whenDurable(() -> done.complete(true));
      } else {
        done.complete(true);
      }
    }
  }

  /** Stops at once; what is not done is left for the next start. Does not wait for long. */
  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
