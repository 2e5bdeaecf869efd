package io.hdrsidecar.sidecar.logs;

import io.hdrsidecar.sidecar.input.CauseText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one log record, in the order in which they are written.
 *
 * <p>Only a text that begins with {@code event=} is taken apart, and never a value: what a client
 * sent cannot make a field. Other text is the message as a whole. A value is text, a number or a
 * truth. An exception that the text names, as in {@code cause={0}}, tells what it says; one that it
 * does not name, given beside the text or as the last value, is told with its stack trace.
 */
final class LogFields {
  private static final String MESSAGE = "msg";
  private static final String TEMPLATE = "event=";
  private static final Pattern PART =
      Pattern.compile("(?<key>[A-Za-z_][\\w.-]*)=(?:\"(?<quoted>[^\"]*)\"|(?<bare>\\S*))|\\S+");
  private static final Pattern PLACE = Pattern.compile("\\{(\\d{1,3})}");

  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

  private final LogRecord log;
  private final @Nullable Object[] values;
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final StringBuilder message = new StringBuilder();

  private LogFields(LogRecord log) {
    this.log = log;
    this.values = values(log);
  }

  /** The fields; {@code time}, {@code level} and {@code logger} come first. */
  static Map<String, Object> of(LogRecord log) {
    return new LogFields(log).read();
  }

  /** What kind of line it is: its event or, without one, its logger. */
  static String kind(LogRecord log) {
    String template = String.valueOf(log.getMessage());
    if (!template.startsWith(TEMPLATE)) {
      return String.valueOf(log.getLoggerName());
    }
    int end = template.indexOf(' ');
    return new LogFields(log)
        .filled(template.substring(TEMPLATE.length(), end < 0 ? template.length() : end));
  }

  private static @Nullable Object[] values(LogRecord log) {
    Object[] given = log.getParameters();
    if (given != null && given.length > 0) {
      return given;
    }
    return log.getThrown() == null ? new Object[0] : new Object[] {log.getThrown()};
  }

  private Map<String, Object> read() {
    String template = String.valueOf(log.getMessage());
    fields.put("time", log.getInstant().truncatedTo(ChronoUnit.MILLIS).toString());
    fields.put("level", LogLevel.of(log.getLevel()).name());
    fields.put("logger", shortName(String.valueOf(log.getLoggerName())));
    if (template.startsWith(TEMPLATE)) {
      Matcher part = PART.matcher(template);
      while (part.find()) {
        take(part);
      }
    } else {
      message.append(filled(template));
    }
    if (!message.isEmpty()) {
      fields.put(MESSAGE, message.toString());
    }
    int last = values.length - 1;
    if (last >= 0
        && values[last] instanceof Throwable thrown
        && !template.contains("{" + last + "}")) {
      addTrace(thrown);
    }
    return fields;
  }

  private void take(Matcher part) {
    String key = part.group("key");
    if (key == null) {
      message.append(message.isEmpty() ? "" : " ").append(filled(part.group()));
      return;
    }
    String value = part.group("quoted") == null ? part.group("bare") : part.group("quoted");
    fields.putIfAbsent(key, valueOf(value));
  }

  /** A value that is nothing but a place keeps its type; one in the text may be a number. */
  private Object valueOf(String value) {
    Matcher place = PLACE.matcher(value);
    if (place.matches() && Integer.parseInt(place.group(1)) < values.length) {
      Object given = values[Integer.parseInt(place.group(1))];
      return given instanceof Number || given instanceof Boolean ? given : text(given);
    }
    return WHOLE_NUMBER.matcher(value).matches() ? (Object) Long.valueOf(value) : filled(value);
  }

  private String filled(String text) {
    return PLACE
        .matcher(text)
        .replaceAll(
            place -> {
              int index = Integer.parseInt(place.group(1));
              return Matcher.quoteReplacement(
                  index < values.length ? text(values[index]) : place.group());
            });
  }

  private static String text(@Nullable Object value) {
    return value instanceof Throwable cause ? CauseText.of(cause) : String.valueOf(value);
  }

  private void addTrace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    fields.put("exception", thrown.toString());
    fields.put("stacktrace", trace.toString());
  }

  private static String shortName(String loggerName) {
    return loggerName.substring(loggerName.lastIndexOf('.') + 1);
  }
}
