package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.CLOSED;
import static io.hdrsidecar.internal.crash.CrashLayout.COMPLETE;
import static io.hdrsidecar.internal.crash.CrashLayout.HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.HEADER_CRC;
import static io.hdrsidecar.internal.crash.CrashLayout.INT;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_OUTBOX;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_REDO;
import static io.hdrsidecar.internal.crash.CrashLayout.LENGTH;
import static io.hdrsidecar.internal.crash.CrashLayout.MAGIC;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX;
import static io.hdrsidecar.internal.crash.CrashLayout.REDO;
import static io.hdrsidecar.internal.crash.CrashLayout.STATE;
import static io.hdrsidecar.internal.crash.CrashLayout.VERSION;

import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;

/**
 * A file under construction, then in its place: open, locked for as long as its process lives, and
 * mapped.
 *
 * <p>The kernel's lock says who is alive: it ends with the process, however that ends, and neither
 * before (a process that is stopped has it) nor later. It belongs to the process, and ends as well
 * when the process closes any channel of the file; so no process opens a file of its own a second
 * time, which the name tells ({@link SpillFolder#crashFile}).
 */
final class CrashPlace {
  static final int REDO_AT = HEADER_BYTES;
  static final int REDO_BYTES = 64 << 10;
  static final int OUTBOX_AT = REDO_AT + REDO_BYTES;
  static final int OUTBOX_BYTES = 256 << 10;
  private static final int BLOCKS_AT = OUTBOX_AT + OUTBOX_BYTES;
  private static final int MIN_BYTES = 1 << 20;

  private final SpillFolder folder;
  private final Path temporary;
  private final Path path;
  private final FileChannel channel;
  private final MappedByteBuffer memory;
  private final CrashSpace space;

  private CrashPlace(SpillFolder folder, Path temporary, Path path, FileChannel channel, int length)
      throws IOException {
    this.folder = folder;
    this.temporary = temporary;
    this.path = path;
    this.channel = channel;
    this.space = new CrashSpace(channel, BLOCKS_AT, length);
    if (channel.tryLock() == null) {
      throw new IOException(path + " cannot be locked");
    }
    takeFirstMemory(path);
    this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
    memory.order(ByteOrder.nativeOrder());
    memory.putLong(0, MAGIC);
    memory.putInt(Long.BYTES, VERSION);
    memory.putInt(LENGTH, length);
    memory.putInt(REDO, REDO_AT);
    memory.putInt(OUTBOX, OUTBOX_AT);
    memory.putInt(HEADER_CRC, CrashLayout.headerCrc(memory));
    CrashLayout.describe(memory, REDO_AT, KIND_REDO, 0, REDO_BYTES);
    CrashLayout.describe(memory, OUTBOX_AT, KIND_OUTBOX, 0, OUTBOX_BYTES);
  }

  private void takeFirstMemory(Path path) throws IOException {
    try {
      space.back(0);
    } catch (IOException e) {
      throw new IOException(
          path + " has no room for its first " + BLOCKS_AT + " bytes; give the folder more", e);
    }
  }

  static CrashPlace create(CrashFolder crash, InstanceId instance, long nowMillis)
      throws IOException {
    SpillFolder folder = crash.folder();
    requireMemory(folder.path());
    if (crash.maxBytes() < MIN_BYTES) {
      throw new IOException("a crash file must be allowed to have " + MIN_BYTES + " bytes");
    }
    Path path = folder.crashFile(instance, Instant.ofEpochMilli(nowMillis));
    Path temporary = SpillFolder.temporary(path);
    FileChannel channel =
        FileChannel.open(
            temporary,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            folder.ownersAlone());
    try {
      folder.protect(temporary);
      return new CrashPlace(folder, temporary, path, channel, crash.maxBytes());
    } catch (IOException | RuntimeException | Error e) {
      Files.deleteIfExists(temporary);
      channel.close();
      throw e;
    }
  }

  /**
   * A disk may make a thread that writes to a mapped page wait; and it may keep what was to be
   * gone.
   */
  private static void requireMemory(Path folder) throws IOException {
    String type = Files.getFileStore(folder).type();
    if (!type.equals("tmpfs") && !type.equals("ramfs")) {
      throw new IOException(
          folder
              + " must be in memory (tmpfs; in Kubernetes an emptyDir with medium: Memory), and is"
              + " on "
              + type);
    }
  }

  ByteBuffer memory() {
    return memory;
  }

  CrashSpace space() {
    return space;
  }

  Path path() {
    return path;
  }

  /** It is whole, and may be found. */
  void publish() throws IOException {
    INT.setRelease(memory, STATE, COMPLETE);
    CrashFault.point("complete");
    folder.publish(temporary, path);
  }

  /** Whether the lock is held: it ends when the channel is closed, by whomever. */
  boolean isLocked() {
    return channel.isOpen();
  }

  /**
   * Says in it that nothing of it counts any more, deletes it, and then gives up the lock. A
   * process that has opened it before, or finds it because it cannot be deleted, reads that it is
   * closed.
   */
  void close() {
    INT.setRelease(memory, STATE, CLOSED);
    CrashFault.point("closed");
    try (channel) {
      Files.deleteIfExists(temporary);
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.getLogger(CrashPlace.class.getName())
          .log(
              System.Logger.Level.WARNING,
              path + " cannot be deleted, and takes memory until somebody else does: " + e);
    }
  }
}
