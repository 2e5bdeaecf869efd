package io.hdrsidecar.sidecar.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogLinesTest {
  private static LogRecord log(String template, Object... values) {
    LogRecord log = new LogRecord(Level.INFO, template);
    log.setInstant(Instant.parse("2026-01-02T03:04:05.678901Z"));
    log.setLoggerName("io.hdrsidecar.sidecar.Reloader");
    log.setParameters(values);
    return log;
  }

  private static String logfmt(LogRecord log) {
    return new LogfmtLines().format(log);
  }

  @Test
  void logfmt_fields_areWrittenInTheirOrder() {
    assertThat(logfmt(log("event=reloaded changed={0} intervals={1}", "windows", 1234567)))
        .isEqualTo(
            "time=2026-01-02T03:04:05.678Z level=INFO logger=Reloader event=reloaded"
                + " changed=windows intervals=1234567\n");
  }

  @ParameterizedTest
  @CsvSource({
    "two words, '\"two words\"'",
    "'', '\"\"'",
    "a=b, '\"a=b\"'",
    "'say \"x\"', '\"say \\\"x\\\"\"'",
    "back\\slash, '\"back\\\\slash\"'",
    "{0}, {0}",
    "größe, größe",
  })
  void logfmt_values_areQuotedWhereTheyMustBe(String value, String written) {
    assertThat(logfmt(log("event=x v={0}", value))).endsWith(" event=x v=" + written + "\n");
  }

  @Test
  void logfmt_whatAClientSent_makesNeitherLinesNorFields() {
    String sent = "x\nlevel=ERROR event=forged\t\u001b[31m\u2028{0}";

    assertThat(logfmt(log("event=rejected name={0} from {0}", sent)))
        .endsWith(
            " event=rejected name=\"x\\nlevel=ERROR event=forged\\t\\u001b[31m\\u2028{0}\""
                + " msg=\"from x\\nlevel=ERROR event=forged\\t\\u001b[31m\\u2028{0}\"\n")
        .hasLineCount(1);
  }

  @Test
  void logfmt_wordsBetweenFields_areTheMessage() {
    assertThat(logfmt(log("event=index_failed file={0} it will be tried again", "a.hlog")))
        .endsWith(" event=index_failed file=a.hlog msg=\"it will be tried again\"\n");
  }

  @Test
  void logfmt_quotedValueInTheText_isOneValue() {
    assertThat(logfmt(log("event=kept problem=\"no such file: {0}\"", "/a b")))
        .endsWith(" event=kept problem=\"no such file: /a b\"\n");
  }

  @Test
  void logfmt_textOfALibrary_isTheMessageAsAWhole() {
    assertThat(logfmt(log("Thread blocked level=high, time limit is {0} ms", 2000)))
        .endsWith(" msg=\"Thread blocked level=high, time limit is 2000 ms\"\n");
  }

  @Test
  void logfmt_exceptionThatTheTextNames_isTold() {
    LogRecord log = log("event=journal_failed cause={0}");
    log.setThrown(new NoSuchFileException("/data/journal"));

    assertThat(logfmt(log))
        .endsWith(" event=journal_failed cause=\"no such file or folder: /data/journal\"\n");
  }

  @Test
  void logfmt_exceptionBesideTheText_isToldWithItsTraceInOneLine() {
    LogRecord log = log("event=request_failed");
    log.setThrown(new IllegalStateException("no \"luck\""));

    assertThat(logfmt(log))
        .contains(
            " event=request_failed"
                + " exception=\"java.lang.IllegalStateException: no \\\"luck\\\"\""
                + " stacktrace=\"java.lang.IllegalStateException: no \\\"luck\\\"\\n\\tat ")
        .hasLineCount(1);
  }

  @Test
  void logfmt_exceptionAsTheLastValue_isToldWithItsTrace() {
    assertThat(logfmt(log("event=request_failed path={0}", "/x", new IOException("gone"))))
        .contains(" path=/x exception=\"java.io.IOException: gone\" stacktrace=\"java.io.IO");
  }

  @ParameterizedTest
  @CsvSource({"FINE,DEBUG", "INFO,INFO", "WARNING,WARN", "SEVERE,ERROR"})
  void logfmt_levels_haveTheirUsualNames(String javaName, String name) {
    LogRecord log = log("event=x");
    log.setLevel(Level.parse(javaName));

    assertThat(logfmt(log)).contains(" level=" + name + " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "two words", "say \"x\"", "a\nb\t\u0001", "größe", ""})
  void json_anyValue_isReadBackAsItWas(String value) throws IOException {
    String line = new JsonLines().format(log("event=x v={0} n={1} b={2}", value, 7, true));

    assertThat(line).endsWith("}\n").hasLineCount(1);
    assertThat(fields(line))
        .containsExactly(
            Map.entry("time", "2026-01-02T03:04:05.678Z"),
            Map.entry("level", "INFO"),
            Map.entry("logger", "Reloader"),
            Map.entry("event", "x"),
            Map.entry("v", value),
            Map.entry("n", 7),
            Map.entry("b", true));
  }

  private static Map<String, Object> fields(String json) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        fields.put(
            name,
            switch (parser.nextToken()) {
              case VALUE_NUMBER_INT -> parser.getIntValue();
              case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
              default -> parser.getText();
            });
      }
    }
    return fields;
  }
}
