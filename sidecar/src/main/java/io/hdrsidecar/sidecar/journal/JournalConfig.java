package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import io.hdrsidecar.sidecar.setting.SettingRecords;
import io.hdrsidecar.sidecar.setting.SettingTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Where the journal is, how safe and how large.
 *
 * @param directory holds nothing but the journal of one sidecar; created when missing
 * @param maxInstances of how many clients the last sequence number is kept
 * @param instanceMemory for how long it is kept
 */
public record JournalConfig(
    @Setting(
            key = JournalConfig.DIRECTORY,
            form = "path; empty for no journal",
            help = "Where merged intervals are kept, so that a restart loses none.")
        Path directory,
    @Setting(
            key = JournalConfig.FLUSH,
            byDefault = "100ms",
            range = "1ms to 10s",
            help =
                "Longest time an interval waits to be written, and its client for the answer; 2s"
                    + " at most with otlp.address.")
        Duration flush,
    @Setting(
            key = "journal.fsync",
            byDefault = "off",
            help = "Wait for the disk, so that a power failure loses nothing.")
        boolean fsync,
    @Setting(
            key = JournalConfig.ROTATE_SIZE,
            byDefault = "64MiB",
            range = "64KiB to 64GiB",
            help = "Size at which a file is complete.")
        long rotateBytes,
    @Setting(
            key = "journal.rotate-time",
            byDefault = "1h",
            range = "1s to 365d",
            help = "Age at which a file is complete.")
        Duration rotateAge,
    @Setting(
            key = JournalConfig.RETAIN_SIZE,
            byDefault = "1GiB",
            range = "256KiB to 1024GiB",
            help = "Total size above which the oldest files go; at least 4 times rotate-size.")
        long retainBytes,
    @Setting(
            key = "journal.retain-time",
            byDefault = "49h",
            range = "1s to 3650d",
            help = "Age above which files go; the default keeps all of yesterday.")
        Duration retainAge,
    @Setting(
            key = "journal.degrade",
            byDefault = "memory",
            help =
                "While writing fails: memory acknowledges all the same, refuse acknowledges"
                    + " nothing.")
        Degrade degrade,
    @Setting(
            key = "journal.max-queued",
            byDefault = SettingParser.AUTO,
            form = "size, 64KiB to 4GiB; auto for what the heap (-Xmx) has room for, 32MiB at most",
            help = "Bytes that may wait to be written before clients are no longer read from.",
            parser = Queued.class)
        long maxQueuedBytes,
    int maxInstances,
    Duration instanceMemory) {
  /** Where the files are; without a value there is no journal. */
  public static final String DIRECTORY = "journal.directory";

  /** How long an interval waits to be written, and its client for the answer. */
  public static final String FLUSH = "journal.flush";

  /** Size at which a file is complete. */
  public static final String ROTATE_SIZE = "journal.rotate-size";

  /** Size of all files; at least four times that of one. */
  public static final String RETAIN_SIZE = "journal.retain-size";

  /**
   * The behaviour while the journal cannot be written; merging and serving go on in either case.
   */
  public enum Degrade {
    /** Acknowledge what is merged: clients go on, a restart would lose what came meanwhile. */
    MEMORY,
    /** Acknowledge nothing: clients keep their intervals until the journal can be written again. */
    REFUSE
  }

  /** The defaults, in a directory. */
  public static JournalConfig in(Path directory) {
    return SettingRecords.of(
        JournalConfig.class,
        Map.of("journal.directory", directory.toString()),
        100_000,
        Duration.ofHours(24));
  }

  /** A size, or what the heap has room for. */
  static final class Queued implements SettingParser {
    @Override
    public Long parse(String text, long heapBytes) {
      return text.strip().equals(AUTO)
          ? JournalMemory.maxQueuedBytes(heapBytes)
          : SettingTypes.sizeWithin(text, "64KiB to 4GiB");
    }
  }
}
