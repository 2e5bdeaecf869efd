package io.hdrsidecar.sidecar.query;

import io.hdrsidecar.sidecar.promql.Condition.Comparison;
import io.hdrsidecar.sidecar.promql.LabelMatcher;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads selectors, by recursive descent.
 *
 * <pre>
 * selector = [ name ] [ "{" [ matcher { "," matcher } [ "," ] ] "}" ]
 * matcher  = label ( "=" | "!=" | "=~" | "!~" ) string
 * string   = as in PromQL: in double or single quotes with \\ escapes, or in backquotes without
 * </pre>
 *
 * <p>As in PromQL, one condition at least must refuse a series without labels.
 */
final class SelectorParser {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_MATCHERS = 32;

  private final String text;
  private final List<LabelMatcher> matchers = new ArrayList<>();
  private int position;

  SelectorParser(String text) {
    this.text = text;
  }

  Selector parse() throws MalformedSelectorException {
    if (text.length() > MAX_LENGTH) {
      throw new MalformedSelectorException(
          "selector must have at most " + MAX_LENGTH + " characters: " + text.length());
    }
    skipSpace();
    boolean named = isNameStart(peek(), true);
    if (named) {
      matchers.add(new LabelMatcher(Selector.NAME_LABEL, Comparison.EQUAL, name(true)));
      skipSpace();
    }
    if (peek() == '{') {
      braces();
    } else if (!named) {
      throw expected("a metric name or '{'");
    }
    skipSpace();
    if (position < text.length()) {
      throw expected("the end");
    }
    requireOneThatRefusesEmpty();
    return new Selector(matchers);
  }

  private void braces() throws MalformedSelectorException {
    position++;
    skipSpace();
    while (peek() != '}') {
      matcher();
      skipSpace();
      if (peek() == ',') {
        position++;
        skipSpace();
      } else if (peek() != '}') {
        throw expected("',' or '}'");
      }
    }
    position++;
  }

  private void matcher() throws MalformedSelectorException {
    if (!isNameStart(peek(), false)) {
      throw expected("a label name or '}'");
    }
    if (matchers.size() >= MAX_MATCHERS) {
      throw at(position, "selector must have at most " + MAX_MATCHERS + " conditions");
    }
    String label = name(false);
    skipSpace();
    Comparison operator = operator();
    skipSpace();
    int start = position;
    String value = string();
    try {
      matchers.add(new LabelMatcher(label, operator, value));
    } catch (IllegalArgumentException e) {
      throw at(start, String.valueOf(e.getMessage()));
    }
  }

  private Comparison operator() throws MalformedSelectorException {
    for (Comparison operator :
        List.of(Comparison.MATCHES, Comparison.NOT_EQUAL, Comparison.MATCHES_NOT)) {
      if (text.startsWith(operator.symbol(), position)) {
        position += 2;
        return operator;
      }
    }
    if (peek() != '=') {
      throw expected("one of =, !=, =~, !~");
    }
    position++;
    return Comparison.EQUAL;
  }

  private String string() throws MalformedSelectorException {
    char quote = peek();
    if (quote != '"' && quote != '\'' && quote != '`') {
      throw expected("a value in quotes");
    }
    int start = position++;
    StringBuilder value = new StringBuilder();
    while (peek() != quote) {
      if (position == text.length() || (peek() == '\n' && quote != '`')) {
        throw at(start, "quote is never closed");
      }
      char c = text.charAt(position++);
      value.append(c == '\\' && quote != '`' ? escaped() : c);
    }
    position++;
    return value.toString();
  }

  private char escaped() throws MalformedSelectorException {
    char c = peek();
    position++;
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '\\', '"', '\'' -> c;
      default ->
          throw at(
              position - 2, "escape must be one of \\\\ \\\" \\' \\n \\t \\r; write \\\\ for \\");
    };
  }

  private String name(boolean colons) {
    int start = position;
    while (isNameStart(peek(), colons) || (peek() >= '0' && peek() <= '9')) {
      position++;
    }
    return text.substring(start, position);
  }

  private static boolean isNameStart(char c, boolean colons) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colons && c == ':');
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
      position++;
    }
  }

  /** The next character, or 0 at the end. */
  private char peek() {
    return position < text.length() ? text.charAt(position) : 0;
  }

  private void requireOneThatRefusesEmpty() throws MalformedSelectorException {
    for (LabelMatcher matcher : matchers) {
      if (!matcher.accepts("")) {
        return;
      }
    }
    throw new MalformedSelectorException(
        "at least one condition must not match an empty value; for all series write"
            + " {__name__=~\".+\"}");
  }

  private MalformedSelectorException expected(String what) {
    String found = position < text.length() ? "'" + peek() + "'" : "the end";
    return at(position, "expected " + what + ", found " + found);
  }

  private static MalformedSelectorException at(int position, String message) {
    return new MalformedSelectorException("at character " + (position + 1) + ": " + message);
  }
}
