package io.hdrsidecar.journal;

/** A text that comments carry in parts, since each must be short. */
final class TextInParts {
  private final StringBuilder text = new StringBuilder();
  private int parts;

  /**
   * Adds a part; part 1 begins anew.
   *
   * @return whether it was the last
   * @throws IllegalArgumentException when it is not the next one
   */
  boolean add(int part, int of, String more) {
    if (part == 1) {
      text.setLength(0);
      parts = 0;
    }
    if (part != ++parts) {
      throw new IllegalArgumentException("a text in " + of + " parts has no part " + parts);
    }
    text.append(more);
    return part == of;
  }

  String text() {
    return text.toString();
  }
}
