package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hdrsidecar.series.Unit;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Files and names as the README of statsd_exporter has them, with what it says becomes of them. */
class MappingFileTest {
  @Test
  void map_globs_takeWhatTheStarsStandFor() throws Exception {
    StatsdMapping mapping =
        parse(
            """
            mappings:
            - match: "test.dispatcher.*.*.*"
              name: "dispatcher_events_total"
              labels:
                processor: "$1"
                action: "$2"
                outcome: "$3"
                job: "test_dispatcher"
            - match: "*.signup.*.*"
              name: "signup_events_total"
              labels:
                provider: "$2"
                outcome: "$3"
                job: "${1}_server"
            """);

    assertMapped(
        mapping,
        "test.dispatcher.FooProcessor.send.success",
        "dispatcher_events_total",
        Map.of(
            "processor", "FooProcessor",
            "action", "send",
            "outcome", "success",
            "job", "test_dispatcher"));
    assertMapped(
        mapping,
        "foo_product.signup.facebook.failure",
        "signup_events_total",
        Map.of("provider", "facebook", "outcome", "failure", "job", "foo_product_server"));
    assertThat(mapping.map("test.web-server.foo.bar", 'h')).isNull();
  }

  @Test
  void map_regularExpressions_takeTheirGroups_andComeBehindGlobs() throws Exception {
    StatsdMapping mapping =
        parse(
            """
            mappings:
            - match: 'test\\.(\\w+)\\.(\\w+)\\.counter'
              match_type: regex
              name: "${2}_total"
              labels:
                provider: "$1"
                missing: "$7"
            - match: test.glob.*.counter
              name: of_glob
            """);

    assertMapped(mapping, "test.a.b.counter", "b_total", Map.of("provider", "a", "missing", ""));
    assertMapped(mapping, "test.glob.b.counter", "of_glob", Map.of());
  }

  @Test
  void map_drop_keepsOnlyWhatStandsBefore() throws Exception {
    StatsdMapping mapping =
        parse(
            """
            mappings:
            - match: test.timing.*.*.*
              name: "my_timer"
            - match: .
              match_type: regex
              action: drop
              name: "dropped"
            """);

    assertThat(mapped(mapping, "test.timing.a.b.c").rule().drops()).isFalse();
    assertThat(mapped(mapping, "anything").rule().drops()).isTrue();
  }

  @Test
  void map_twoGlobsThatMatch_theFirstWins_orTheMostSpecificIfAskedFor() throws Exception {
    String rules =
        """
        mappings:
        - match: "a.*.*"
          name: general
        - match: "a.b.*"
          name: special
        """;

    assertMapped(parse(rules), "a.b.c", "general", Map.of());
    assertMapped(
        parse("defaults: {glob_disable_ordering: true}\n" + rules), "a.b.c", "special", Map.of());
  }

  @Test
  void map_rulesOfOtherTypes_areNotForValues() throws Exception {
    StatsdMapping mapping =
        parse(
            """
            mappings:
            - {match: "test.foo.*", name: of_counters, match_metric_type: counter}
            - {match: "test.foo.*", name: of_timers, match_metric_type: timer}
            """);

    assertMapped(mapping, "test.foo.x", "of_timers", Map.of());
  }

  @Test
  void parse_whatMeansNothingHere_isAcceptedAndNamed() throws Exception {
    StatsdMapping mapping =
        parse(
            """
            defaults:
              observer_type: histogram
              histogram_options: {buckets: [.005, .01]}
              summary_options:
                quantiles: [{quantile: 0.99, error: 0.001}]
                max_age: 30s
              match_type: glob
              ttl: 0
            mappings:
            - match: test.timing.*
              timer_type: histogram
              buckets: [0.01, 0.1]
              name: "my_timer"
              scale: 0.001
              unit: us
              honor_labels: true
              ttl: 1m
              help: "A timer"
            """);

    MappingRule rule = mapped(mapping, "test.timing.x").rule();
    assertThat(rule.scale()).isEqualTo(0.001);
    assertThat(rule.unit()).isEqualTo(Unit.MICROSECONDS);
    assertThat(rule.tagsWin()).isTrue();
    assertThat(rule.help()).isEqualTo("A timer");
    assertThat(mapping.ignored())
        .containsExactly(
            "defaults.observer_type",
            "defaults.histogram_options",
            "defaults.summary_options",
            "defaults.ttl",
            "timer_type",
            "buckets",
            "ttl");
  }

  @Test
  void parse_mistakes_areAllNamedWithTheirLines() {
    assertThatExceptionOfType(MappingFileException.class)
        .isThrownBy(
            () ->
                parse(
                    """
                    mappings:
                    - match: a.*
                      nmae: typo
                    - match: '('
                      match_type: regex
                      name: x
                    - match: b.*
                      name: y
                      unit: lightyears
                      scale: -1
                    - name: z
                    """))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .anySatisfy(p -> assertThat(p).contains("line 3: no such key: nmae"))
                    .anySatisfy(p -> assertThat(p).contains("line 2: name is missing"))
                    .anySatisfy(p -> assertThat(p).contains("line 4: not a regular expression"))
                    .anySatisfy(p -> assertThat(p).contains("line 9: unit must be one of ns"))
                    .anySatisfy(p -> assertThat(p).contains("line 10: scale must be a number"))
                    .anySatisfy(p -> assertThat(p).contains("line 11: match is missing"))
                    .hasSize(6));
  }

  private static void assertMapped(
      StatsdMapping mapping, String statsdName, String name, Map<String, String> labels) {
    MappingRule.Mapped mapped = mapped(mapping, statsdName);
    assertThat(mapped.name()).isEqualTo(name);
    assertThat(mapped.labels()).isEqualTo(labels);
  }

  private static MappingRule.Mapped mapped(StatsdMapping mapping, String statsdName) {
    return Objects.requireNonNull(mapping.map(statsdName, 'h'), statsdName);
  }

  private static StatsdMapping parse(String text) throws MappingFileException {
    return MappingFile.parse(text, "mapping.yaml");
  }
}
