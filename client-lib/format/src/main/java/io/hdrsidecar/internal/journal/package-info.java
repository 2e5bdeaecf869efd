/**
 * The grammar of our interval logs: HdrHistogram's format 1.3, whose comments carry what its lines
 * cannot: the sender and the sequence number of an interval, definitions of series, exact sums, and
 * a checksum for each record. The sidecar's journal and the client's spill files are written so.
 *
 * <p>Input and output: files, line by line. {@link io.hdrsidecar.internal.journal.JournalFormat}
 * draws them, {@link io.hdrsidecar.internal.journal.JournalFileWriter} writes them, {@link
 * io.hdrsidecar.internal.journal.JournalReader} tells a {@link
 * io.hdrsidecar.internal.journal.JournalVisitor} what is in one.
 */
@NullMarked
package io.hdrsidecar.internal.journal;

import org.jspecify.annotations.NullMarked;
