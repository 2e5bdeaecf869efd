package io.hdrsidecar.sidecar.promql;

import java.util.Locale;
import java.util.function.IntPredicate;

/** Walks over the text of a query, character by character. */
final class QueryScanner {
  private final String text;
  private int position;

  QueryScanner(String text) {
    this.text = text;
  }

  /** The next character behind blanks and comments, or 0 at the end. */
  char next() {
    skipBlanks();
    return peek(0);
  }

  /** The character so far ahead, or 0 behind the end. */
  char peek(int ahead) {
    int at = position + ahead;
    return at < text.length() ? text.charAt(at) : 0;
  }

  /** The next character, which may be of two of Java's; not at the end. */
  int peekCodePoint() {
    return text.codePointAt(position);
  }

  /** Whether nothing is left, not even a blank. */
  boolean isBehindEnd() {
    return position >= text.length();
  }

  /** Where it is. */
  int position() {
    return position;
  }

  /** Goes back to where it was. */
  void reset(int earlier) {
    position = earlier;
  }

  void skip(int characters) {
    position += characters;
  }

  /** What was read since then. */
  String since(int start) {
    return text.substring(start, position);
  }

  private void skipBlanks() {
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == '#') {
        int end = text.indexOf('\n', position);
        position = end < 0 ? text.length() : end;
      } else if (isBlank(c)) {
        position++;
      } else {
        return;
      }
    }
  }

  /** Takes this text, if it comes next. */
  boolean take(String wanted) {
    skipBlanks();
    if (!text.startsWith(wanted, position)) {
      return false;
    }
    position += wanted.length();
    return true;
  }

  /** Takes this text, which must come next. */
  void require(String wanted, String where) throws PromqlException {
    if (!take(wanted)) {
      throw unexpected(where + ", expected \"" + wanted + "\"");
    }
  }

  /** The word that comes next, without taking it; empty for none. */
  String peekWord() {
    skipBlanks();
    int end = position;
    if (end < text.length() && isWordStart(text.charAt(end))) {
      while (end < text.length() && isWordPart(text.charAt(end))) {
        end++;
      }
    }
    return text.substring(position, end);
  }

  /** Takes a keyword, in whatever case it is written. */
  boolean takeKeyword(String keyword) {
    String word = peekWord();
    if (!word.toLowerCase(Locale.ROOT).equals(keyword)) {
      return false;
    }
    position += word.length();
    return true;
  }

  /** Takes as many characters as there are of a kind. */
  String takeAll(IntPredicate kind) {
    int start = position;
    while (position < text.length() && kind.test(text.charAt(position))) {
      position++;
    }
    return text.substring(start, position);
  }

  static boolean isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
  }

  static boolean isWordPart(char c) {
    return isWordStart(c) || isDigit(c);
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** What comes next is not what may come there. */
  PromqlException unexpected(String where) {
    skipBlanks();
    if (position >= text.length()) {
      return at(position, "unexpected end of input" + where);
    }
    String word = peekWord();
    String found = word.isEmpty() ? text.substring(position, endOfCharacter()) : word;
    return at(position, "unexpected \"" + found + "\"" + where);
  }

  private int endOfCharacter() {
    return position + Character.charCount(peekCodePoint());
  }

  /** An error at a place. */
  PromqlException at(int place, String message) {
    return PromqlException.syntax(text, place, message);
  }

  /** PromQL, and not answered. */
  PromqlException unsupported(int place, String message) {
    return PromqlException.unsupported(text, place, message);
  }
}
