package io.hdrsidecar.sidecar.promql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large a regular expression becomes when its counted repetitions are written out, estimated
 * before it is compiled.
 *
 * <p>RE2 matches in linear time, but compiles {@code ((a{99}){99}){99}} into a million copies of
 * {@code a}: a few characters that take all memory. The estimate never counts less than one for
 * each character to be matched; where it is not exact, it is too high.
 */
final class RegexSize {
  private static final Pattern COUNT = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");
  private static final long TOO_LARGE = Integer.MAX_VALUE;

  private final String regex;
  private final Deque<Long> outerSizes = new ArrayDeque<>();
  private long size;
  private long lastAtom;
  private int position;

  private RegexSize(String regex) {
    this.regex = regex;
  }

  static long estimate(String regex) {
    RegexSize estimate = new RegexSize(regex);
    while (estimate.position < regex.length()) {
      estimate.next();
    }
    return estimate.size;
  }

  private void next() {
    switch (regex.charAt(position)) {
      case '\\' -> atom(position + 2);
      case '[' -> atom(endOfClass());
      case '(' -> {
        outerSizes.push(size);
        size = 0;
        position++;
      }
      case ')' -> {
        lastAtom = size + 1;
        size = saturated((outerSizes.isEmpty() ? 0 : outerSizes.pop()) + lastAtom);
        position++;
      }
      case '{' -> repetition();
      default -> atom(position + 1);
    }
  }

  private void atom(int end) {
    lastAtom = 1;
    size = saturated(size + 1);
    position = end;
  }

  private void repetition() {
    Matcher count = COUNT.matcher(regex).region(position, regex.length());
    if (!count.lookingAt()) {
      atom(position + 1);
      return;
    }
    String most =
        count.group(2) == null || count.group(2).isEmpty() ? count.group(1) : count.group(2);
    long repeated = saturated(lastAtom * Math.max(Long.parseLong(most), 1));
    size = saturated(size - lastAtom + repeated);
    lastAtom = repeated;
    position = count.end();
  }

  /** Behind the closing bracket; one right after the opening bracket does not close. */
  private int endOfClass() {
    int end = regex.startsWith("[^", position) ? position + 2 : position + 1;
    for (int i = end; i < regex.length(); i++) {
      if (regex.charAt(i) == '\\') {
        i++;
      } else if (regex.charAt(i) == ']' && i > end) {
        return i + 1;
      }
    }
    return regex.length();
  }

  private static long saturated(long value) {
    return Math.min(value, TOO_LARGE);
  }
}
