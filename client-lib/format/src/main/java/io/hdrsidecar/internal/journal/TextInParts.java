package io.hdrsidecar.internal.journal;

/**
 * A text that comments carry in parts, since each must be short. Where a part cannot be read, those
 * before it are never joined to those of another text.
 */
final class TextInParts {
  private final StringBuilder text = new StringBuilder();
  private int subject;
  private int parts;

  /**
   * Adds a part; part 1 begins anew.
   *
   * @param subject whose text it is
   * @return whether it was the last
   * @throws IllegalArgumentException when it is not the next one of this subject
   */
  boolean add(int subject, int part, int of, String more) {
    if (part == 1) {
      text.setLength(0);
      this.subject = subject;
      parts = 0;
    }
    if (subject != this.subject || part != parts + 1) {
      throw new IllegalArgumentException("a text in " + of + " parts misses one before " + part);
    }
    parts = part;
    text.append(more);
    return part == of;
  }

  int length() {
    return text.length();
  }

  String text() {
    return text.toString();
  }
}
