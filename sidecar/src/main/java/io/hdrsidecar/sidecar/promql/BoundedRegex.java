package io.hdrsidecar.sidecar.promql;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Regular expressions of RE2, as in Prometheus: a dot matches a line break too, and matching takes
 * time linear in the text, so that no expression can hold a thread. What one takes when it is
 * compiled is bounded.
 */
public final class BoundedRegex {
  private static final int MAX_LENGTH = 512;
  private static final int MAX_SIZE = 5_000;

  private BoundedRegex() {}

  /** Throws IllegalArgumentException for an expression that is none, or too large. */
  public static Pattern compile(String regex) {
    if (regex.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "regular expression must have at most " + MAX_LENGTH + " characters");
    }
    if (RegexSize.estimate(regex) > MAX_SIZE) {
      throw new IllegalArgumentException(
          "regular expression repeats too much, with its counts multiplied out");
    }
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("not a regular expression of RE2: " + e.getMessage(), e);
    }
  }
}
