package io.hdrsidecar.sidecar.log;

import static io.hdrsidecar.sidecar.memory.MemoryItem.plus;
import static io.hdrsidecar.sidecar.memory.MemoryItem.times;

import io.hdrsidecar.sidecar.memory.MemoryItem;
import io.hdrsidecar.sidecar.merge.MergeConfig;
import java.util.List;

/** What the journal may hold at most. */
public final class JournalMemory {
  /** Batches double as they grow, and each record has an answer that waits for it. */
  private static final long BYTES_A_QUEUED_BYTE = 3;

  /** What one read of a connection may still add when the queue is full. */
  private static final long READ_BYTES = 64 << 10;

  private static final long SPARE_BATCH_BYTES = (1L << 20) + (64 << 10);

  /** Base64 and stored blocks of a longest line, in buffers that double. */
  private static final long LINE_BYTES_A_COUNTER = 9 * 8;

  private static final long TEXT_BYTES = 8L << 20;

  /** Texts of a series, and its numbers in the open file and a checkpoint. */
  private static final long DEFINITION_BYTES = 1600;

  /** A definition's text in memory, as often as it takes bytes in the file. */
  private static final long BYTES_A_FILE_BYTE = 6;

  private static final long SEQUENCE_BYTES = 256;

  /** A line takes at least 160 bytes, and its place 10, or 20 in an array that has just grown. */
  private static final long FILE_BYTES_AN_INDEX_BYTE = 8;

  private static final long INDEXES = 2;

  /** A record that waits takes some 100 bytes, its place 48. */
  private static final long QUEUED_BYTES_A_PLACE_BYTE = 2;

  private JournalMemory() {}

  /**
   * Items for these limits.
   *
   * @param connections most clients whose intervals come at once
   */
  public static List<MemoryItem> items(JournalConfig config, MergeConfig merge, int connections) {
    long definitions = times(2, merge.maxSeries(), merge.maxLayouts());
    long text = plus(DEFINITION_BYTES, times(2, merge.maxLabelLength()));
    return List.of(
        new MemoryItem(
            "journal_queue",
            plus(
                times(
                    BYTES_A_QUEUED_BYTE,
                    plus(config.maxQueuedBytes(), times(connections, READ_BYTES))),
                times(Journal.KEPT_BATCHES, SPARE_BATCH_BYTES)),
            "3 * journal.max-queued, what connections add at once, and 64 batches kept"),
        new MemoryItem(
            "journal_definitions",
            plus(
                times(definitions, text),
                Math.min(
                    times(BYTES_A_FILE_BYTE, config.rotateBytes()),
                    times(definitions, text, beginnings(config, merge)))),
            "texts of 2 * series.max * series.max-layouts, and of those that ended while a file"
                + " was open, of journal.rotate-size at most"),
        new MemoryItem(
            "journal_text",
            plus(TEXT_BYTES, times(merge.maxLayouts(), merge.maxCounters(), LINE_BYTES_A_COUNTER)),
            "lines being written, of series.max-counters at most"),
        new MemoryItem(
            "journal_index",
            plus(
                times(INDEXES, config.rotateBytes() / FILE_BYTES_AN_INDEX_BYTE),
                times(Journal.PAST_SERIES_A_LIVING, merge.maxSeries(), text),
                config.maxQueuedBytes() / QUEUED_BYTES_A_PLACE_BYTE),
            "places of lines of the file being written and of one that is indexed again, of"
                + " journal.rotate-size at most, of lines not flushed yet (journal.max-queued), and"
                + " names of 2 * series.max series, ended or not"),
        new MemoryItem(
            "journal_sequences",
            times(SequenceMemory.STAYING + 1, config.maxInstances(), SEQUENCE_BYTES),
            "3 * ingest.max-instances"));
  }

  /** How often all places may be taken anew while a file is open. */
  private static long beginnings(JournalConfig config, MergeConfig merge) {
    return merge.idleExpiry().isZero() ? 0 : 1 + config.rotateAge().dividedBy(merge.idleExpiry());
  }
}
