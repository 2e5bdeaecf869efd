package io.hdrsidecar.internal.crash;

import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that records, frames and delivers, and is killed at the point that it was told. What it
 * does it writes down before, line by line, in a file that outlives it as well.
 */
final class CrashVictim {
  private final CrashRig rig;
  private final OutputStream diary;

  private CrashVictim(CrashRig rig, OutputStream diary) {
    this.rig = rig;
    this.diary = diary;
  }

  /**
   * Lives.
   *
   * @param args folder of the crash file, diary
   */
  public static void main(String[] args) throws IOException {
    try (OutputStream diary = Files.newOutputStream(Path.of(args[1]))) {
      new CrashVictim(CrashRig.in(Path.of(args[0]), CrashRig.BYTES), diary).live();
    }
  }

  private void live() throws IOException {
    CrashSeries first = rig.series("first");
    CrashSeries second = rig.series("second");
    record(first, "first", 10, 20, 20, 3_000_000_000L);
    record(second, "second", 1, 2, 3);
    frame(first, 1, 10, 20);
    frame(second, 2, 1, 2);
    record(first, "first", 30, 10);
    rig.file().numbered(3);
    frame(first, 4, 20, 30);
    delivered(CrashRig.INSTANCE, 1, "first", 10, 20);
    rig.file().settled(1);
    rig.takeBack(second, 2, 1, 2);
    frame(second, 5, 1);
    delivered(CrashRig.INSTANCE, 4, "first", 20, 30);
    rig.file().settled(4);
    InstanceId next = new InstanceId(7, 8);
    rig.file().startOver(next, CrashRig.COMMON);
    rig.takeBack(second, 5, 1);
    record(second, "second", 4);
    frame(second, 1, 1, 2, 3, 4);
    delivered(next, 1, "second", 1, 2, 3, 4);
    rig.file().settled(1);
    record(second, "second", 5);
  }

  private void record(CrashSeries series, String name, long... values) throws IOException {
    for (long value : values) {
      write("recorded " + name + " " + value);
      rig.record(series, value);
    }
  }

  private void frame(CrashSeries series, long sequence, long... values) {
    rig.frame(series, sequence, values);
  }

  /** A sidecar has it; whatever comes under this number again it drops. */
  private void delivered(InstanceId instance, long sequence, String name, long... values)
      throws IOException {
    StringBuilder line = new StringBuilder("delivered " + name);
    for (long value : values) {
      line.append(' ').append(value);
    }
    write("number " + instance + " " + sequence);
    write(line.toString());
  }

  private void write(String line) throws IOException {
    diary.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
