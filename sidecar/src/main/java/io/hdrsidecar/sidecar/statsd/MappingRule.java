package io.hdrsidecar.sidecar.statsd;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.hdrsidecar.series.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a mapping file: which StatsD names it is about, and what becomes of them.
 *
 * @param kinds of lines it is about, as {@link StatsdLine#kind} has them
 * @param components of a glob, {@code *} for any; empty for a rule with a regular expression
 * @param pattern found anywhere in a name, unless it says otherwise; null for a glob
 * @param drops whether what it matches is not kept
 * @param name template of the series' name
 * @param labels from name of label to template of its value
 * @param help of the series; may be empty
 * @param unit of the values as they are sent; null to find out by type and name
 * @param scale by which values are multiplied first
 * @param tagsWin whether a tag has precedence over a label of the same name
 */
record MappingRule(
    String kinds,
    List<String> components,
    @Nullable Pattern pattern,
    boolean drops,
    String name,
    Map<String, String> labels,
    String help,
    @Nullable Unit unit,
    double scale,
    boolean tagsWin) {
  private static final String ANY = "*";

  /** What a rule makes of a name. */
  record Mapped(MappingRule rule, String name, Map<String, String> labels) {}

  /** Takes copies. */
  MappingRule {
    components = List.copyOf(components);
    labels = Map.copyOf(labels);
  }

  /** What becomes of a name; null when the rule is not about it. */
  @Nullable Mapped map(String statsdName, char kind) {
    if (kinds.indexOf(kind) < 0) {
      return null;
    }
    List<String> captured = pattern == null ? captures(statsdName) : groups(pattern, statsdName);
    if (captured == null) {
      return null;
    }
    Map<String, String> values = new TreeMap<>();
    labels.forEach((label, template) -> values.put(label, filled(template, captured)));
    return new Mapped(this, filled(name, captured), values);
  }

  private @Nullable List<String> captures(String statsdName) {
    String[] parts = statsdName.split("\\.", -1);
    if (parts.length != components.size()) {
      return null;
    }
    List<String> captured = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      if (components.get(i).equals(ANY)) {
        captured.add(parts[i]);
      } else if (!components.get(i).equals(parts[i])) {
        return null;
      }
    }
    return captured;
  }

  private static @Nullable List<String> groups(Pattern pattern, String statsdName) {
    Matcher matcher = pattern.matcher(statsdName);
    if (!matcher.find()) {
      return null;
    }
    List<String> groups = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      String group = matcher.group(i);
      groups.add(group == null ? "" : group);
    }
    return groups;
  }

  /** With {@code $1} and <code>${1}</code> replaced; by nothing where there is no such capture. */
  private static String filled(String template, List<String> captured) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < template.length()) {
      int end = template.charAt(at) == '$' ? referenceEnd(template, at) : at;
      if (end == at) {
        text.append(template.charAt(at++));
      } else {
        String digits = template.substring(at + 1, end).replace("{", "").replace("}", "");
        int number = digits.length() > 3 ? 0 : Integer.parseInt(digits);
        text.append(number >= 1 && number <= captured.size() ? captured.get(number - 1) : "");
        at = end;
      }
    }
    return text.toString();
  }

  /** Where a reference that begins at the dollar sign ends; the same place if it is none. */
  private static int referenceEnd(String template, int dollar) {
    boolean braced = dollar + 1 < template.length() && template.charAt(dollar + 1) == '{';
    int start = dollar + (braced ? 2 : 1);
    int end = start;
    while (end < template.length() && Character.digit(template.charAt(end), 10) >= 0) {
      end++;
    }
    if (end == start || (braced && (end == template.length() || template.charAt(end) != '}'))) {
      return dollar;
    }
    return braced ? end + 1 : end;
  }

  /** Whether it is more specific than another glob: has a text where that first has any. */
  int compareGlobs(MappingRule other) {
    int common = Math.min(components.size(), other.components.size());
    for (int i = 0; i < common; i++) {
      boolean any = components.get(i).equals(ANY);
      if (any != other.components.get(i).equals(ANY)) {
        return any ? 1 : -1;
      }
    }
    return 0;
  }
}
