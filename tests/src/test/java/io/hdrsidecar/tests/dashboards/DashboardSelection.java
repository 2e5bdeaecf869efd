package io.hdrsidecar.tests.dashboards;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is chosen at the top of a dashboard, and how Grafana puts it into queries: a value of a
 * variable of which several may be chosen is escaped for a regular expression, that of any other
 * for a string, and All is replaced by what the variable says, as it stands, or else by all that
 * there is.
 */
final class DashboardSelection {
  /** How All is written among the values. */
  static final String ALL = "$__all";

  /** Not the {@code $1} of {@code label_replace}: there is no variable of that name. */
  private static final Pattern REFERENCE =
      Pattern.compile("\\$(?:([a-zA-Z_]\\w*)|\\{([a-zA-Z_]\\w*)})");

  private static final Pattern SPECIAL = Pattern.compile("[$^*{}\\[\\]'+?.()|]");

  private final Map<String, JsonObject> variables;
  private final Map<String, String> values;

  /** What there is to choose, by variable. */
  private final Map<String, List<String>> offers;

  private final Duration range;
  private final Duration scrapeInterval;

  private DashboardSelection(
      Map<String, JsonObject> variables,
      Map<String, String> values,
      Map<String, List<String>> offers,
      Duration range,
      Duration scrapeInterval) {
    this.variables = variables;
    this.values = values;
    this.offers = offers;
    this.range = range;
    this.scrapeInterval = scrapeInterval;
  }

  /**
   * Nothing chosen yet.
   *
   * @param range time shown
   * @param scrapeInterval as the data source is told
   */
  static DashboardSelection of(Dashboard dashboard, Duration range, Duration scrapeInterval) {
    Map<String, JsonObject> variables =
        dashboard.variables().stream()
            .collect(
                Collectors.toMap(
                    v -> v.getString("name"), v -> v, (a, b) -> a, LinkedHashMap::new));
    return new DashboardSelection(variables, Map.of(), Map.of(), range, scrapeInterval);
  }

  /** The same with this value chosen. */
  DashboardSelection with(String variable, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(variable, value);
    return new DashboardSelection(variables, more, offers, range, scrapeInterval);
  }

  /** The same, knowing what there is to choose. */
  DashboardSelection offered(String variable, List<String> offer) {
    Map<String, List<String>> more = new LinkedHashMap<>(offers);
    more.put(variable, offer);
    return new DashboardSelection(variables, values, more, range, scrapeInterval);
  }

  /** The values chosen, by variable. */
  Map<String, String> values() {
    return values;
  }

  /** Names of the dashboard's variables, in order. */
  List<String> names() {
    return List.copyOf(variables.keySet());
  }

  /** The definition of a variable. */
  JsonObject variable(String name) {
    return Objects.requireNonNull(variables.get(name), name);
  }

  /** The text as Prometheus gets it. */
  String replaceIn(String text) {
    Matcher reference = REFERENCE.matcher(text);
    StringBuilder replaced = new StringBuilder();
    while (reference.find()) {
      String name = reference.group(1) == null ? reference.group(2) : reference.group(1);
      reference.appendReplacement(replaced, Matcher.quoteReplacement(valueOf(name)));
    }
    return reference.appendTail(replaced).toString();
  }

  private String valueOf(String name) {
    return switch (name) {
      case "__range" -> range.toSeconds() + "s";
      case "__interval" -> scrapeInterval.toSeconds() + "s";
      case "__rate_interval" -> scrapeInterval.multipliedBy(4).toSeconds() + "s";
      default -> {
        String value = values.get(name);
        if (value == null) {
          throw new IllegalStateException("no value for variable " + name);
        }
        yield value.equals(ALL) ? all(name) : escaped(variable(name), value);
      }
    };
  }

  /** What the variable says; without a word of it, each that there is. */
  private String all(String name) {
    String said = variable(name).getString("allValue");
    return said != null
        ? said
        : offers.getOrDefault(name, List.of()).stream()
            .filter(each -> !each.equals(ALL))
            .map(each -> escaped(variable(name), each))
            .collect(Collectors.joining("|", "(", ")"));
  }

  private static String escaped(JsonObject variable, String value) {
    boolean severalMayBeChosen =
        variable.getBoolean("multi", false) || variable.getBoolean("includeAll", false);
    if (severalMayBeChosen) {
      return SPECIAL.matcher(value.replace("\\", "\\\\\\\\")).replaceAll("\\\\\\\\$0");
    }
    return value.replace("\\", "\\\\").replace("'", "\\\\'");
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
