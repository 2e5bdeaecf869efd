package io.hdrsidecar.sidecar.cli;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.function.Predicate;

/** Which tags are meant. Intervals without a tag have the empty one. */
final class TagFilter implements Predicate<String> {
  static final TagFilter ALL = new TagFilter(List.of(), List.of());

  private final List<Pattern> included;
  private final List<Pattern> excluded;

  private TagFilter(List<Pattern> included, List<Pattern> excluded) {
    this.included = included;
    this.excluded = excluded;
  }

  /**
   * Tags that match one of the included expressions (all, without any) and none of the excluded.
   * Expressions are RE2's and match the whole tag.
   *
   * @throws IllegalArgumentException for a broken expression
   */
  static TagFilter of(List<String> included, List<String> excluded) {
    return new TagFilter(compiled(included), compiled(excluded));
  }

  private static List<Pattern> compiled(List<String> expressions) {
    return expressions.stream().map(TagFilter::compiled).toList();
  }

  private static Pattern compiled(String expression) {
    try {
      return Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("not a regular expression (RE2): " + e.getMessage(), e);
    }
  }

  @Override
  public boolean test(String tag) {
    return (included.isEmpty() || anyMatches(included, tag)) && !anyMatches(excluded, tag);
  }

  private static boolean anyMatches(List<Pattern> patterns, String tag) {
    for (Pattern pattern : patterns) {
      if (pattern.matches(tag)) {
        return true;
      }
    }
    return false;
  }
}
