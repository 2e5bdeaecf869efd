package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.sidecar.config.Settings;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every number of a limit in SECURITY.md is the one of the code. */
class SecurityDocumentTest {
  private static final Pattern KEY = Pattern.compile("`([a-z]+\\.[a-z-]+)`(?: (\\d\\w*))?");

  private static String document() throws Exception {
    return Files.readString(Path.of("../SECURITY.md")).replaceAll("\\s+", " "); // wrapped anywhere
  }

  @Test
  void settings_named_existAndHaveTheDefaultThatIsSaid() throws Exception {
    Map<String, String> defaults =
        Settings.all().stream()
            .collect(Collectors.toMap(DeclaredSetting::key, DeclaredSetting::defaultText));
    int said = 0;
    for (Matcher key = KEY.matcher(document()); key.find(); ) {
      assertThat(defaults).containsKey(key.group(1));
      if (key.group(2) != null) {
        assertThat(key.group(2)).as(key.group(1)).isEqualTo(defaults.get(key.group(1)));
        said++;
      }
    }
    assertThat(said).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "at most (\\d+) for a name ; OverflowLabels ; MOST",
        "selector of (\\d+) characters ; query.SelectorParser ; MAX_LENGTH",
        "(\\d+) conditions ; query.SelectorParser ; MAX_MATCHERS",
        "RE2 expressions of (\\d+) characters ; promql.BoundedRegex ; MAX_LENGTH",
        "PromQL of (\\d+) characters ; promql.PromqlParser ; MAX_LENGTH",
        "nested (\\d+) deep ; promql.PromqlParser ; MAX_DEPTH",
        "TLS handshake .*?(\\d+) s ; access.ServerTls ; HANDSHAKE_SECONDS",
        "up to (\\d+), so that a change ; access.Tokens ; MAX_TOKENS",
        "reload` \\| (\\d+) at once ; api.ReloadRoute ; AT_ONCE",
        "reload` .* one in (\\d+) s ; api.ReloadRoute ; INTERVAL",
      })
  void number_ofALimit_isTheConstant(String text, String type, String constant) throws Exception {
    Matcher found = Pattern.compile(text).matcher(document());
    assertThat(found.find()).as(text).isTrue();
    Field field =
        type.strip().equals("OverflowLabels")
            ? OverflowLabels.class.getField("MOST")
            : Class.forName("io.hdrsidecar.sidecar." + type.strip())
                .getDeclaredField(constant.strip());
    field.setAccessible(true);

    Object value = field.get(null);
    long expected =
        value instanceof Duration time ? time.toSeconds() : ((Number) value).longValue();
    assertThat(Long.parseLong(found.group(1))).isEqualTo(expected);
  }
}
