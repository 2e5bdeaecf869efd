package io.hdrsidecar.sidecar.logs;

import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Records as logfmt: {@code key=value} separated by blanks. A value that is empty, or has a blank,
 * an equals sign, a quote or a control character, stands in quotes, with the escapes of JSON; so a
 * record is one line whatever is in it.
 */
final class LogfmtLines extends Formatter {
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int DELETE = 0x7f;
  private static final int LAST_CONTROL = 0x9f;

  @Override
  public String format(LogRecord log) {
    StringBuilder line = new StringBuilder(160);
    for (Map.Entry<String, Object> field : LogFields.of(log).entrySet()) {
      line.append(line.isEmpty() ? "" : " ").append(field.getKey()).append('=');
      append(line, String.valueOf(field.getValue()));
    }
    return line.append('\n').toString();
  }

  private static void append(StringBuilder line, String value) {
    if (!value.isEmpty() && value.chars().noneMatch(LogfmtLines::needsQuotes)) {
      line.append(value);
      return;
    }
    line.append('"');
    value.chars().forEach(c -> appendEscaped(line, (char) c));
    line.append('"');
  }

  private static boolean needsQuotes(int c) {
    return c <= ' ' || c == '=' || c == '"' || c == '\\' || isControl(c);
  }

  private static boolean isControl(int c) {
    return c < FIRST_PRINTABLE
        || (c >= DELETE && c <= LAST_CONTROL)
        || c == '\u2028'
        || c == '\u2029';
  }

  private static void appendEscaped(StringBuilder line, char c) {
    switch (c) {
      case '"', '\\' -> line.append('\\').append(c);
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      case '\t' -> line.append("\\t");
      default -> {
        if (isControl(c)) {
          line.append(String.format("\\u%04x", (int) c));
        } else {
          line.append(c);
        }
      }
    }
  }
}
