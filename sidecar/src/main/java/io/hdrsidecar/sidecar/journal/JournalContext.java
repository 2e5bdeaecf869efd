package io.hdrsidecar.sidecar.journal;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one journal share.
 *
 * @param sequences what is remembered of clients; of the thread that replays, then of the writer
 * @param past is told of files and of the records in them, if queries are to read them
 * @param tail takes what is merged along, and needs files until it has
 */
record JournalContext(
    JournalConfig config,
    SeriesStore store,
    JournalClock clock,
    JournalDirectory directory,
    JournalHealth health,
    JournalLimits limits,
    SequenceMemory sequences,
    @Nullable JournalPast past,
    JournalTail tail) {}
