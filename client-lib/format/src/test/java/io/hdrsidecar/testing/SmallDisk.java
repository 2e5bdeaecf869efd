package io.hdrsidecar.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real file system of a few bytes, a tmpfs, for each test of a class that registers it. The tests
 * must be root. Elsewhere they are skipped, unless real parts are required.
 */
public final class SmallDisk implements BeforeEachCallback, AfterEachCallback {
  private static final String REQUIRED = "HDR_SIDECAR_REQUIRE_REAL_PARTS";

  private final String size;
  private Path folder = Path.of("mounted for each test");
  private boolean isMounted;

  private SmallDisk(String size) {
    this.size = size;
  }

  /** One of so many bytes, in mount's words: {@code 256k}. */
  public static SmallDisk of(String size) {
    return new SmallDisk(size);
  }

  @Override
  public void beforeEach(ExtensionContext test) throws Exception {
    folder = Files.createTempDirectory("small-disk");
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
    if (!isMounted && Boolean.parseBoolean(System.getenv(REQUIRED))) {
      throw new AssertionError("cannot mount a tmpfs, but " + REQUIRED + "=true");
    }
    assumeTrue(isMounted, "cannot mount a tmpfs");
  }

  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    if (isMounted && !run("umount", "-l", folder.toString())) { // what is mapped is still in use
      throw new IOException("cannot unmount " + folder);
    }
    Files.delete(folder);
  }

  /** Where it is mounted. */
  public Path folder() {
    return folder;
  }

  /** The file that {@link #fill} makes; there is room again once it is deleted. */
  public Path ballast() {
    return folder.resolve("ballast");
  }

  /** Leaves no room at all: the last write may be cut short. */
  public void fill() throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      if (Files.size(ballast()) == 0) {
        throw full;
      }
    }
  }

  /** Leaves room for so many bytes. */
  public void fillBut(int bytes) throws IOException {
    fill();
    try (FileChannel channel = FileChannel.open(ballast(), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - bytes);
    }
  }

  /** Mounts it again as {@code ro} or {@code rw}. */
  public void remount(String access) throws Exception {
    if (!run("mount", "-o", "remount," + access, folder.toString())) {
      throw new IOException("cannot remount " + folder + " " + access);
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(List.of(command)).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
