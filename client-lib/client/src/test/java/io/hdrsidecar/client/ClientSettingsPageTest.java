package io.hdrsidecar.client;

import static io.hdrsidecar.internal.text.UserText.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The client's document lists its settings as {@link ClientConfig.Builder} declares them, and what
 * the builder's Javadoc says of defaults and ranges is true.
 */
class ClientSettingsPageTest {
  private static final Path CLIENT_LIB = Path.of("..");
  private static final String PREFIX = "HDR_SIDECAR_";
  private static final String NUMBER = "(\\d[\\d,]*)(?: (ms|s|min|h)\\b)?";
  private static final Pattern RANGE = Pattern.compile(NUMBER + " to " + NUMBER);
  private static final Pattern DEFAULT = Pattern.compile("Default (.+?)\\.(?= |$)");
  private static final Pattern READ =
      Pattern.compile("case \"(HDR_SIDECAR_\\w+)\" ->\\s+(?:\\{[^}]*\\}\\s+)?builder\\.(\\w+)\\(");

  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "HDR_SIDECAR_LABELS", "commonLabels",
          "HDR_SIDECAR_HICCUPS_RESOLUTION", "hiccupResolution",
          "HDR_SIDECAR_HICCUPS_DELAY", "hiccupStartDelay",
          "HDR_SIDECAR_TLS_KEY", "tlsCertificate");

  /** Of Spring's properties, those that are no variable; they are {@code common-labels}, too. */
  private static final List<String> SPRINGS_OWN =
      List.of("commonLabels", "closeTimeout", "stallTimeout", "maxSeries", "activeLongTaskTimers");

  private static final Pattern COMPONENT = Pattern.compile("(?m) (\\w+)(?:,$|\\) \\{)");

  private static Map<String, String> methods() throws IOException {
    Map<String, String> methods = DocumentedMethods.of(ClientConfig.Builder.class);
    methods.remove("build");
    return methods;
  }

  /** Variables of each method of the builder, as the code reads them. */
  private static Map<String, List<String>> variables() throws IOException {
    String source =
        Files.readString(DocumentedMethods.SOURCES.resolve("EnvironmentSettings.java"))
            .replaceAll("\\{\\s+if \\([^{]*\\{[^}]*\\}", ""); // what may not be set together
    return READ.matcher(source)
        .results()
        .collect(
            Collectors.groupingBy(
                read -> read.group(2),
                TreeMap::new,
                Collectors.mapping(read -> read.group(1), Collectors.toList())));
  }

  private static String defaultOf(String javadoc) {
    List<String> found = DEFAULT.matcher(javadoc).results().map(said -> said.group(1)).toList();
    assertThat(found).as("one sentence on the default: %s", javadoc).hasSize(1);
    return found.get(0);
  }

  @Test
  void page_settings_areThoseOfTheCode() throws IOException {
    Map<String, List<String>> variables = variables();
    StringBuilder rows =
        new StringBuilder(
            """
            | `ClientConfig.builder()` | environment | default | what it says |
            | --- | --- | --- | --- |
            """);
    methods()
        .forEach(
            (name, javadoc) -> {
              String all =
                  variables.getOrDefault(name, List.of()).stream()
                      .map(variable -> "`" + variable + "`")
                      .collect(Collectors.joining(", "));
              String says = GeneratedPage.cell(DocumentedMethods.firstSentence(javadoc));
              rows.append("| `" + name + "` | " + all + " | ");
              rows.append(defaultOf(javadoc) + " | " + says + ". |\n");
            });
    new GeneratedPage(CLIENT_LIB.resolve("README.md")).assertHas(rows.toString());
  }

  @Test
  void variables_areThoseThatAreRead_andHaveTheNamesOfTheirSettings() throws IOException {
    Map<String, String> methods = new TreeMap<>();
    variables().forEach((method, ofIt) -> ofIt.forEach(variable -> methods.put(variable, method)));

    assertThat(methods.keySet()).containsExactlyInAnyOrderElementsOf(ClientConfig.variables());
    assertThat(methods().keySet()).containsAll(methods.values());
    methods.entrySet().removeIf(read -> read.getKey().equals(variable(read.getValue())));
    assertThat(methods).as("of another name").isEqualTo(OTHER_NAMES);
  }

  /** None is in the list alone. */
  @Test
  void eachVariable_isTakenOrRefusedByItsName() {
    assertThat(ClientConfig.variables())
        .allSatisfy(
            variable -> {
              try {
                ClientConfig.builder(Map.of(variable, "wrong"));
              } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(variable + ": ");
              }
            });
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientConfig.fromEnvironment(Map.of("HDR_SIDECAR_INTERVAL", "wrong")));
  }

  /** What a client has that was told nothing. */
  private static Map<String, Object> defaults() throws IOException {
    ClientConfig config = ClientConfig.builder().build();
    SendConfig sending = config.sendConfig();
    HiccupConfig hiccups = ClientConfig.builder().hiccups(true).build().hiccups().orElseThrow();
    boolean picksUp =
        Optional.ofNullable(
                ClientConfig.builder().spillFolder(Path.of("s")).build().sendConfig().spill())
            .orElseThrow()
            .picksUp();
    String tokenless = sending.token().current();
    String uncertified = sending.tls().certificate() == null ? "" : "some";
    return Map.ofEntries(
        Map.entry("address", "`" + config.address() + "`"),
        Map.entry("enabled", config.enabled()),
        Map.entry("interval", config.interval()),
        Map.entry("commonLabels", String.join(",", config.commonLabels().asMap().keySet())),
        Map.entry("token", tokenless),
        Map.entry("tokenFile", tokenless),
        Map.entry("tlsCa", sending.tls().ca() == null ? "those that the JVM trusts" : "others"),
        Map.entry("tlsCertificate", uncertified),
        Map.entry("closeTimeout", config.closeTimeout()),
        Map.entry("stallTimeout", sending.stallTimeout()),
        Map.entry("backoff", List.of(sending.minBackoff(), sending.maxBackoff())),
        Map.entry("maxSeries", config.maxSeries()),
        Map.entry("shutdownHook", config.shutdownHook()),
        Map.entry("hiccups", config.hiccups().isPresent()),
        Map.entry("hiccupResolution", hiccups.resolution()),
        Map.entry("hiccupStartDelay", hiccups.startDelay()),
        Map.entry("spillFolder", config.spillFolder().map(Path::toString).orElse("")),
        Map.entry("crashFolder", config.crashFolder().map(Path::toString).orElse("")),
        Map.entry("spillPickup", picksUp),
        Map.entry("clock", sending.clock().equals(Clock.systemUTC()) ? "the system's" : "another"));
  }

  private static String said(Object value) {
    if (value instanceof List<?> several) {
      return several.stream()
          .map(ClientSettingsPageTest::said)
          .collect(Collectors.joining(" and "));
    }
    if (value instanceof Duration time) {
      return shown(time).replaceAll("(\\d)([a-z])", "$1 $2");
    }
    if (value instanceof Integer number) {
      return String.format(Locale.ROOT, "%,d", number);
    }
    return value.equals("") ? "none" : value.toString();
  }

  @Test
  void defaults_areAsTheJavadocSays() throws IOException {
    Map<String, String> inCode = new TreeMap<>();
    defaults().forEach((name, value) -> inCode.put(name, said(value)));
    Map<String, String> inJavadoc = new TreeMap<>();
    methods().forEach((name, javadoc) -> inJavadoc.put(name, defaultOf(javadoc)));

    assertThat(inJavadoc).isEqualTo(inCode);
  }

  private static Stream<Method> settingsWithARange() throws IOException {
    Map<String, String> methods = methods();
    List<Method> found =
        Stream.of(ClientConfig.Builder.class.getDeclaredMethods())
            .filter(method -> RANGE.matcher(methods.getOrDefault(method.getName(), "")).find())
            .toList();
    assertThat(found).hasSizeGreaterThan(6);
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("settingsWithARange")
  void range_isAsTheJavadocSays(Method setting) throws Exception {
    String javadoc = String.valueOf(methods().get(setting.getName()));
    MatchResult range = RANGE.matcher(javadoc).results().findFirst().orElseThrow();
    boolean isTime = setting.getParameterTypes()[0] == Duration.class;
    long least = number(range.group(1), range.group(2), isTime);
    long most = number(range.group(3), range.group(4), isTime);
    boolean takesBoth = setting.getParameterCount() == 2;

    List<long[]> right = new ArrayList<>();
    List<long[]> wrong = new ArrayList<>();
    if (takesBoth) {
      right.add(new long[] {least, most});
      wrong.add(new long[] {least - 1, most});
      wrong.add(new long[] {least, most + 1});
    } else {
      right.add(new long[] {least});
      right.add(new long[] {most});
      wrong.add(new long[] {least - 1});
      wrong.add(new long[] {most + 1});
    }
    for (long[] values : right) {
      setting.invoke(ClientConfig.builder(), arguments(values, isTime));
    }
    for (long[] values : wrong) {
      assertThatThrownBy(() -> setting.invoke(ClientConfig.builder(), arguments(values, isTime)))
          .isInstanceOf(InvocationTargetException.class)
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A number, or milliseconds. */
  private static long number(String digits, String unit, boolean isTime) {
    long number = Long.parseLong(digits.replace(",", ""));
    if (!isTime || number == 0) {
      return number;
    }
    return switch (unit) {
      case "ms" -> number;
      case "s" -> number * 1_000;
      case "min" -> number * 60_000;
      default -> number * 3_600_000;
    };
  }

  private static Object[] arguments(long[] values, boolean isTime) {
    return Arrays.stream(values)
        .mapToObj(value -> isTime ? Duration.ofMillis(value) : (Object) (int) value)
        .toArray();
  }

  @Test
  void springsProperties_areTheVariables_butForTheLabels() throws IOException {
    String source =
        Files.readString(
            CLIENT_LIB.resolve(
                "spring-boot/src/main/java/io/hdrsidecar/internal/spring/"
                    + "HdrSidecarProperties.java"));
    List<String> expected = new ArrayList<>(ClientConfig.variables());
    expected.remove("HDR_SIDECAR_LABELS");
    SPRINGS_OWN.forEach(name -> expected.add(variable(name)));

    assertThat(
            COMPONENT
                .matcher(source.substring(source.indexOf("record HdrSidecarProperties(")))
                .results()
                .map(component -> variable(component.group(1))))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static String variable(String name) {
    return PREFIX + name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }
}
