package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file, line by line, in one pass. What cannot be read costs only itself: it is counted
 * and skipped. What ends with the file in the middle of a record is torn: it was being written. One
 * thread; use once.
 */
public final class JournalReader {
  /** They are written with less than 128; the parts of one are a hundred thousand objects else. */
  private static final int MAX_COMMENT_BYTES = 4 << 10;

  /** What an instance takes. */
  private static final long INSTANCE_BYTES = 256;

  /** What a text takes while it is put together and taken apart, of which one is at a time. */
  private static final long BYTES_A_CHARACTER = 8;

  private static final int CRC_DIGITS = 8;
  private static final int LOGGED_DAMAGES = 3;

  private final Path path;
  private final Input input;
  private final ReadLimits limits;
  private final JournalVisitor visitor;
  private final CommentFields fields = new CommentFields();
  private final Map<Integer, SeriesText> series = new HashMap<>();
  private final Map<Integer, InstanceId> instances = new HashMap<>();
  private final JournalLine line = new JournalLine();
  private final CRC32C crc = new CRC32C();
  private final LineParts parts = new LineParts();
  private final TextInParts definition = new TextInParts();
  private final TextInParts commonLabels = new TextInParts();

  /** The first letter of the comment whose line must follow; 0 for none. */
  private char awaiting;

  private long awaitingOffset;
  private long awaitedCrc;

  /** The next line belongs to a comment that is counted as damaged already. */
  private boolean lineIsLost;

  private long definitionBytes;

  /** What of that is not of series. */
  private long lastingBytes;

  private long damaged;
  private long tornAt = -1;

  /** Where the bytes come from. */
  private interface Input {
    InputStream open() throws IOException;
  }

  /**
   * A reader of this file, which nobody else can write.
   *
   * @param visitor its IllegalArgumentException counts as damage of the line it was told of
   */
  public JournalReader(Path path, JournalVisitor visitor) {
    this(path, () -> open(path), ReadLimits.OF_OUR_OWN, visitor);
  }

  /**
   * A reader of a file that is open already, and may have been written by anybody.
   *
   * @param path where it is, for messages
   * @param in its bytes, from the first; closed when they are read
   * @param visitor its IllegalArgumentException counts as damage of the line it was told of
   */
  public JournalReader(Path path, InputStream in, ReadLimits limits, JournalVisitor visitor) {
    this(path, () -> in, limits, visitor);
  }

  private JournalReader(Path path, Input input, ReadLimits limits, JournalVisitor visitor) {
    this.path = path;
    this.input = input;
    this.limits = limits;
    this.visitor = visitor;
  }

  private static InputStream open(Path path) throws IOException {
    RegularFile.check(path);
    return Files.newInputStream(path);
  }

  /**
   * Reads the file.
   *
   * @throws IOException naming it: what is in it may be missing from the totals
   */
  public void read() throws IOException {
    try (InputStream in = input.open()) {
      read(in);
    } catch (IOException e) {
      throw new IOException("cannot read " + path + ": " + e, e);
    }
  }

  private void read(InputStream in) throws IOException {
    JournalLines lines = new JournalLines(in, limits.maxLineBytes());
    while (lines.next()) {
      if (!lines.isComplete()) {
        tornAt = awaiting == 0 ? lines.offset() : awaitingOffset;
        return;
      }
      readLine(lines);
    }
    if (awaiting != 0) {
      tornAt = awaitingOffset;
    }
  }

  /** Lines that could not be read. */
  public long damaged() {
    return damaged;
  }

  /** Where in the file a torn record begins; -1 if there is none. */
  public long tornAt() {
    return tornAt;
  }

  private void readLine(JournalLines lines) {
    boolean isLost = lineIsLost;
    lineIsLost = false;
    try {
      if (LineParts.isOne(lines.bytes(), lines.from(), lines.to())) {
        part(lines, isLost);
      } else if (lines.first() == '#') {
        if (awaiting != 0) {
          awaiting = 0;
          damaged(lines, "the line of the comment before is missing");
        }
        comment(lines);
      } else if (awaiting != 0) {
        char kind = awaiting;
        awaiting = 0;
        lines.addLine(crc);
        record(kind, lines, lines.bytes(), lines.from(), lines.to());
      } else if (lines.first() != '"' && !isLost) {
        damaged(lines, "no comment before it that can be read");
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      damaged(lines, String.valueOf(e.getMessage()));
    }
  }

  private void damaged(JournalLines lines, String why) {
    damaged++;
    if (damaged <= LOGGED_DAMAGES) {
      // Not before: the first logger starts java.util.logging, which an agent leaves to main.
      System.getLogger(JournalReader.class.getName())
          .log(
              Level.WARNING,
              "event=journal_damaged file={0} line={1} problem={2} the line is skipped",
              path,
              String.valueOf(lines.number()),
              why.length() > 200 ? why.substring(0, 200) : why);
    }
  }

  private void comment(JournalLines lines) {
    if (lines.length() < 3 || lines.bytes()[lines.from() + 2] != ' ') {
      return; // HdrHistogram's own, or a person's.
    }
    char kind = (char) lines.bytes()[lines.from() + 1];
    lineIsLost = kind == 'R' || kind == 'T';
    if (lines.length() > MAX_COMMENT_BYTES) {
      throw new IllegalArgumentException("comment is longer than " + MAX_COMMENT_BYTES + " bytes");
    }
    int crcAt = lines.to() - CRC_DIGITS;
    fields.start(lines.bytes(), crcAt, lines.to());
    long expected = fields.hex();
    crc.reset();
    lines.addComment(crc);
    if (kind == 'R' || kind == 'T') {
      fields.start(lines.bytes(), lines.from() + 3, crcAt);
      figures(kind);
      parts.clear();
      awaiting = kind;
      awaitingOffset = lines.offset();
      awaitedCrc = expected;
    } else if (expected != crc.getValue()) {
      throw new IllegalArgumentException("checksum of the comment is wrong");
    } else {
      String text = lines.text();
      text = text.substring(0, text.length() - CRC_DIGITS - 1);
      fact(kind, text.split(" ", -1), text);
    }
  }

  private void figures(char kind) {
    long record = fields.hex();
    SeriesText ofSeries = series.get((int) fields.hex());
    InstanceId sender = kind == 'R' ? instances.get((int) fields.hex()) : null;
    line.comment(record, ofSeries, sender, fields.hex());
    line.sumMinMax(fields);
    line.idle(kind == 'T' && fields.hasMore() ? fields.hex() : 0);
  }

  /** A part of the line that belongs to the comment before, or to one counted as damaged. */
  private void part(JournalLines lines, boolean isLost) {
    lineIsLost = true; // Unless it turns out well, what follows of it is no further damage.
    if (awaiting == 0) {
      if (!isLost) {
        damaged(lines, "no comment before it that can be read");
      }
      return;
    }
    char kind = awaiting;
    awaiting = 0;
    lines.addLine(crc);
    if (parts.add(lines.bytes(), lines.from(), lines.to(), limits.maxLineBytes())) {
      lineIsLost = false;
      record(kind, lines, parts.bytes(), 0, parts.length());
    } else {
      lineIsLost = false;
      awaiting = kind;
    }
  }

  private void record(char kind, JournalLines lines, byte[] bytes, int from, int to) {
    if (crc.getValue() != awaitedCrc) {
      throw new IllegalArgumentException("checksum of record " + line.record() + " is wrong");
    }
    if (line.series() == null) {
      throw new IllegalArgumentException("series of record " + line.record() + " is not defined");
    }
    line.line(bytes, from, to);
    line.place(awaitingOffset, lines.offset() + lines.length() + 1 - awaitingOffset);
    if (kind == 'R') {
      visitor.interval(line);
    } else {
      visitor.total(line);
    }
  }

  private void fact(char kind, String[] fields, String text) {
    switch (kind) {
      case 'J' -> requireVersion(hex(fields[1]));
      case 'S' -> {
        int number = (int) hex(fields[1]);
        String part = behind(text, 4);
        requireRoom(BYTES_A_CHARACTER * (definition.length() + part.length()));
        if (definition.add(number, (int) hex(fields[2]), (int) hex(fields[3]), part)) {
          SeriesText decoded = SeriesText.decode(definition.text());
          hold(decoded.definition().heapBytes());
          series.put(number, decoded);
        }
      }
      case 'F' -> {
        int firstKept = (int) hex(fields[1]);
        series.keySet().removeIf(number -> number < firstKept);
        if (series.isEmpty()) {
          definitionBytes = lastingBytes;
        }
      }
      case 'C' -> {
        holdLasting(BYTES_A_CHARACTER * text.length());
        if (commonLabels.add(0, (int) hex(fields[1]), (int) hex(fields[2]), behind(text, 3))) {
          visitor.commonLabels(SeriesText.decodeLabels(commonLabels.text()));
        }
      }
      case 'I' -> {
        holdLasting(INSTANCE_BYTES);
        instances.put((int) hex(fields[1]), instanceId(fields[2]));
      }
      case 'G' -> {
        InstanceId leaving = instances.get((int) hex(fields[2]));
        if (leaving != null) {
          visitor.goodbye(leaving, hex(fields[1]));
        }
      }
      case 'X' -> {
        SeriesText ended = series.get((int) hex(fields[2]));
        if (ended == null) {
          throw new IllegalArgumentException("series that ended is not defined");
        }
        visitor.seriesEnd(ended, hex(fields[1]));
      }
      case 'N' ->
          visitor.time(hex(fields[1]), hex(fields[2]), fields[3].equals("-") ? "" : fields[3]);
      case 'Q' ->
          visitor.sequence(
              instanceId(fields[1]), hex(fields[2]), awayMillis(fields), hex(fields[4]) != 0);
      case 'E' -> visitor.end(hex(fields[1]), hex(fields[2]));
      default -> {} // A later version's, which reads on without it.
    }
  }

  private void holdLasting(long bytes) {
    hold(bytes);
    lastingBytes += bytes;
  }

  private void hold(long bytes) {
    requireRoom(bytes);
    definitionBytes += bytes;
  }

  private void requireRoom(long bytes) {
    if (definitionBytes + bytes > limits.maxDefinitionBytes()) {
      throw new IllegalArgumentException(
          "definitions take more than " + limits.maxDefinitionBytes() + " bytes");
    }
  }

  /** Files of before that have the time by the wall clock alone, which may have been set since. */
  private static long awayMillis(String[] fields) {
    return fields.length > 5 ? hex(fields[5]) : 0;
  }

  private static void requireVersion(long version) {
    if (version != JournalFormat.VERSION) {
      throw new IllegalArgumentException("journal of version " + version);
    }
  }

  /** What follows this many fields; it may have blanks itself. */
  private static String behind(String text, int fields) {
    int from = 0;
    for (int i = 0; i < fields; i++) {
      from = text.indexOf(' ', from) + 1;
    }
    return text.substring(from);
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  private static InstanceId instanceId(@Nullable String digits) {
    if (digits == null || digits.length() != 32) {
      throw new IllegalArgumentException("an instance has 32 digits: " + digits);
    }
    return new InstanceId(hex(digits.substring(0, 16)), hex(digits.substring(16)));
  }
}
