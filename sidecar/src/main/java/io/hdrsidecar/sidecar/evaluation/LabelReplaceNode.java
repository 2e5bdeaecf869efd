package io.hdrsidecar.sidecar.evaluation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.hdrsidecar.sidecar.promql.BoundedRegex;
import io.hdrsidecar.sidecar.query.QueryException;
import java.util.ArrayList;
import java.util.List;

/** {@code label_replace}: a label from what a regular expression finds in another. */
final class LabelReplaceNode extends DerivedNode {
  private static final int MAX_VALUE = 4096;

  private final String target;
  private final String replacement;
  private final String source;
  private final Pattern pattern;

  LabelReplaceNode(
      VectorNode of, String target, String replacement, String source, Pattern pattern) {
    super(of);
    this.target = target;
    this.replacement = replacement;
    this.source = source;
    this.pattern = pattern;
  }

  static LabelReplaceNode of(VectorNode of, List<String> texts) throws QueryException {
    String target = texts.get(0);
    if (!target.matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
      throw QueryException.unsupported(
          "invalid destination label name in label_replace(): " + target);
    }
    if (Mixtures.isToldBy(target)) {
      throw QueryException.unsupported(
          "label_replace() onto "
              + target
              + " is refused, since it tells which series must not be added up; choose another name");
    }
    try {
      return new LabelReplaceNode(
          of, target, texts.get(1), texts.get(2), BoundedRegex.compile(texts.get(3)));
    } catch (IllegalArgumentException e) {
      throw QueryException.unsupported(
          "invalid regular expression in label_replace(): " + e.getMessage());
    }
  }

  @Override
  List<Element> derive(List<Element> elements, Annotations annotations) throws QueryException {
    boolean ofEdges = target.equals(MetricLabels.LE) || source.equals(MetricLabels.LE);
    List<Element> results = new ArrayList<>(elements.size());
    for (Element each : ofEdges ? EdgeCuts.cut(elements) : elements) {
      Matcher matcher = pattern.matcher(each.labels().get(source));
      results.add(
          matcher.matches() ? each.with(each.labels().with(target, expanded(matcher))) : each);
    }
    Element.requireDistinct(results);
    return results;
  }

  /**
   * As Go does: {@code $1}, {@code $name}, {@code ${name}}, {@code $$}; what is not there is empty.
   */
  private String expanded(Matcher matcher) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < replacement.length() && text.length() < MAX_VALUE) {
      char c = replacement.charAt(at++);
      if (c != '$' || at == replacement.length()) {
        text.append(c);
      } else if (replacement.charAt(at) == '$') {
        text.append('$');
        at++;
      } else {
        at = reference(matcher, at, text);
      }
    }
    return text.toString();
  }

  private int reference(Matcher matcher, int at, StringBuilder into) {
    boolean braced = replacement.charAt(at) == '{';
    int start = braced ? at + 1 : at;
    int end = start;
    while (end < replacement.length() && isNamePart(replacement.charAt(end))) {
      end++;
    }
    boolean closed = !braced || (end < replacement.length() && replacement.charAt(end) == '}');
    if (end == start || !closed) {
      into.append('$');
      return at;
    }
    into.append(group(matcher, replacement.substring(start, end)));
    return braced ? end + 1 : end;
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static String group(Matcher matcher, String name) {
    String found = null;
    if (name.matches("\\d{1,4}")) {
      int number = Integer.parseInt(name);
      found = number <= matcher.groupCount() ? matcher.group(number) : null;
    } else if (matcher.pattern().namedGroups().containsKey(name)) {
      found = matcher.group(name);
    }
    return found == null ? "" : found;
  }
}
