package io.hdrsidecar.internal.journal;

import java.util.zip.CRC32C;

/**
 * Reads one interval whose place in a file is known, without what stands before it. One thread at a
 * time.
 */
public final class SingleRecordReader {
  private static final int CRC_DIGITS = 8;

  private final CommentFields fields = new CommentFields();
  private final CRC32C crc = new CRC32C();
  private final JournalLine line = new JournalLine();
  private final LineParts parts = new LineParts();

  /**
   * Reads comment and line of an interval. Its {@link JournalLine#series} is unknown here, and so
   * is who sent it.
   *
   * @param from where the comment starts
   * @param length of both, line ends included
   * @return valid until the next call
   * @throws IllegalArgumentException when there is no whole interval
   */
  public JournalLine read(byte[] bytes, int from, int length) {
    int end = from + length;
    int comment = endOfLine(bytes, from, end);
    if (length < 4 || bytes[from] != '#' || bytes[from + 1] != 'R' || bytes[end - 1] != '\n') {
      throw new IllegalArgumentException("no record begins there");
    }
    int crcAt = comment - CRC_DIGITS;
    fields.start(bytes, crcAt, comment);
    long expected = fields.hex();
    crc.reset();
    crc.update(bytes, from, crcAt - from);
    crc.update(bytes, comment + 1, end - comment - 1);
    if (crc.getValue() != expected) {
      throw new IllegalArgumentException("its checksum is wrong");
    }
    fields.start(bytes, from + 3, crcAt);
    long record = fields.hex();
    fields.hex(); // the series, by a number that means nothing without the file
    fields.hex(); // the instance, likewise
    line.comment(record, null, null, fields.hex());
    line.sumMinMax(fields);
    if (bytes[comment + 1] == '#') {
      joinParts(bytes, comment + 1, end);
      line.line(parts.bytes(), 0, parts.length());
    } else {
      line.line(bytes, comment + 1, end - 1);
    }
    return line;
  }

  private void joinParts(byte[] bytes, int from, int end) {
    parts.clear();
    boolean isLast = false;
    for (int at = from; !isLast; ) {
      int endOfPart = endOfLine(bytes, at, end);
      isLast = parts.add(bytes, at, endOfPart, end - from);
      at = endOfPart + 1;
    }
  }

  private static int endOfLine(byte[] bytes, int from, int end) {
    for (int i = from; i < end; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    throw new IllegalArgumentException("no record begins there");
  }
}
