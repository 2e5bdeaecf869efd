package io.hdrsidecar.sidecar.statsd;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.input.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads a mapping file of statsd_exporter, so that it can be taken over as it is.
 *
 * <p>What it says of buckets, quantiles and expiry means nothing here, where series keep all
 * buckets: such keys are accepted and named. {@code unit} is a key of our own. Every problem is
 * found in one pass and named with its line.
 */
final class MappingFile {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_RULES = 10_000;

  private static final Pattern GLOB =
      Pattern.compile("(\\*|[a-zA-Z_](-?[a-zA-Z0-9_])*)(\\.(\\*|[a-zA-Z0-9_](-?[a-zA-Z0-9_])*))*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern NAME =
      Pattern.compile("([a-zA-Z_:]|\\$\\{?\\d+\\}?)([a-zA-Z0-9_:]|\\$\\{?\\d+\\}?)*");

  private static final String ANY = "any";

  private static final Set<String> IGNORED =
      Set.of(
          "observer_type",
          "timer_type",
          "buckets",
          "quantiles",
          "histogram_options",
          "summary_options",
          "ttl");

  private static final Set<String> OF_DEFAULTS = Set.of("match_type", "glob_disable_ordering");
  private static final Set<String> OF_RULES =
      Set.of(
          "match",
          "match_type",
          "match_metric_type",
          "name",
          "action",
          "labels",
          "help",
          "scale",
          "honor_labels",
          "unit");

  private final List<String> problems = new ArrayList<>();
  private final Set<String> ignored = new LinkedHashSet<>();
  private final List<MappingRule> rules = new ArrayList<>();
  private final String source;
  private String matchType = "glob";
  private boolean mostSpecificFirst;

  private MappingFile(String source) {
    this.source = source;
  }

  /**
   * The rules of a file. Blocks.
   *
   * @throws MappingFileException with every problem, also when the file cannot be read
   */
  static StatsdMapping read(Path file) throws MappingFileException {
    try {
      return parse(WholeFile.text(file, MAX_BYTES), file.toString());
    } catch (IOException e) {
      throw new MappingFileException(List.of(CauseText.of(e)));
    }
  }

  /**
   * The rules of a text.
   *
   * @param source name of the text in problems
   */
  static StatsdMapping parse(String text, String source) throws MappingFileException {
    MappingFile file = new MappingFile(source);
    file.read(text);
    if (!file.problems.isEmpty()) {
      throw new MappingFileException(file.problems);
    }
    return StatsdMapping.of(file.rules, file.mostSpecificFirst, List.copyOf(file.ignored));
  }

  private void read(String text) {
    try {
      Node root = YamlText.nodes(text);
      if (root != null) {
        readRoot(root);
      }
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine();
      problems.add(source + ", line " + (line + 1) + ": not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      problems.add(source + ": not YAML: " + e.getMessage());
    }
  }

  private void readRoot(Node root) {
    Map<String, Node> parts = entries(root, "the file", Set.of("defaults", "mappings"), "");
    Node defaults = parts.get("defaults");
    if (defaults != null) {
      Map<String, Node> set = entries(defaults, "defaults", OF_DEFAULTS, "defaults.");
      matchType = oneOf(set, "match_type", List.of("glob", "regex"), "glob");
      mostSpecificFirst = isTrue(set, "glob_disable_ordering");
    }
    Node mappings = parts.get("mappings");
    if (mappings instanceof SequenceNode list && list.getValue().size() <= MAX_RULES) {
      list.getValue().forEach(this::readRule);
    } else if (mappings != null && !isEmpty(mappings)) {
      problem(mappings, "mappings must be a list of at most " + MAX_RULES + " rules");
    }
  }

  private static boolean isEmpty(Node node) {
    return node instanceof ScalarNode scalar && scalar.getValue().isBlank();
  }

  private void readRule(Node node) {
    int before = problems.size();
    Map<String, Node> set = entries(node, "a rule", OF_RULES, "");
    String match = text(set, "match", "");
    boolean drops = oneOf(set, "action", List.of("map", "drop"), "map").equals("drop");
    String name = text(set, "name", "");
    if (!set.containsKey("match")) {
      problem(node, "match is missing");
    } else if (name.isEmpty() && !drops) {
      problem(node, "name is missing");
    } else if (!name.isEmpty() && !NAME.matches(name)) {
      problem(node, "not a name for a metric: " + name);
    }
    String of =
        set.containsKey("match_metric_type")
            ? oneOf(
                set,
                "match_metric_type",
                List.of("observer", "timer", "counter", "gauge", "set"),
                "observer")
            : ANY;
    boolean isRegex = oneOf(set, "match_type", List.of("glob", "regex"), matchType).equals("regex");
    Pattern pattern = isRegex ? pattern(set, match) : null;
    if (!isRegex && !match.isEmpty() && !GLOB.matches(match)) {
      problem(node, "not a glob, names and stars between dots: " + match);
    }
    MappingRule rule =
        new MappingRule(
            kindsOf(of),
            isRegex ? List.of() : List.of(match.split("\\.", -1)),
            pattern,
            drops,
            name,
            labels(set),
            text(set, "help", ""),
            unit(set),
            scale(set),
            isTrue(set, "honor_labels"));
    if (problems.size() == before && !rule.kinds().isEmpty()) {
      rules.add(rule);
    }
  }

  private static String kindsOf(String metricType) {
    return switch (metricType) {
      case "observer", "timer" -> "mh";
      case "counter" -> "c";
      case "gauge" -> "g";
      case "set" -> "";
      default -> "mhcg"; // ANY
    };
  }

  private @Nullable Pattern pattern(Map<String, Node> set, String match) {
    try {
      return Pattern.compile(match);
    } catch (PatternSyntaxException e) {
      problem(set.get("match"), "not a regular expression (RE2): " + e.getMessage());
      return null;
    }
  }

  private Map<String, String> labels(Map<String, Node> set) {
    Map<String, String> labels = new LinkedHashMap<>();
    Node node = set.get("labels");
    if (node != null && !isEmpty(node)) {
      entries(node, "labels", null, "")
          .forEach(
              (label, template) -> {
                if (!LABEL.matches(label)) {
                  problem(template, "not a name for a label: " + label);
                } else if (template instanceof ScalarNode scalar) {
                  labels.put(label, scalar.getValue());
                } else {
                  problem(template, label + " must be a text");
                }
              });
    }
    return labels;
  }

  private @Nullable Unit unit(Map<String, Node> set) {
    String symbol = text(set, "unit", "");
    try {
      return symbol.isEmpty() ? null : Unit.ofSymbol(symbol);
    } catch (IllegalArgumentException e) {
      problem(set.get("unit"), "unit " + e.getMessage());
      return null;
    }
  }

  private double scale(Map<String, Node> set) {
    String text = text(set, "scale", "1");
    try {
      double scale = Double.parseDouble(text);
      if (scale > 0 && scale <= Double.MAX_VALUE) {
        return scale;
      }
    } catch (NumberFormatException e) {
      // Said below, as what is out of range.
    }
    problem(set.get("scale"), "scale must be a number above 0: " + text);
    return 1;
  }

  private boolean isTrue(Map<String, Node> set, String key) {
    return oneOf(set, key, List.of("true", "false"), "false").equals("true");
  }

  private String oneOf(Map<String, Node> set, String key, List<String> allowed, String byDefault) {
    String text = text(set, key, byDefault);
    if (!allowed.contains(text)) {
      problem(set.get(key), key + " must be one of " + String.join(", ", allowed) + ": " + text);
    }
    return text;
  }

  private String text(Map<String, Node> set, String key, String byDefault) {
    Node node = set.get(key);
    if (node == null || isEmpty(node)) {
      return byDefault;
    }
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    problem(node, key + " must be a text");
    return byDefault;
  }

  /**
   * The entries of a mapping in their order, without those that mean nothing here.
   *
   * @param known names there may be besides; null for any
   */
  private Map<String, Node> entries(
      Node node, String what, @Nullable Set<String> known, String prefix) {
    Map<String, Node> entries = new LinkedHashMap<>();
    if (!(node instanceof MappingNode mapping)) {
      problem(node, what + " must be a mapping of names to values");
      return entries;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      if (known == null || known.contains(key)) {
        if (entries.putIfAbsent(key, tuple.getValueNode()) != null) {
          problem(tuple.getKeyNode(), "given twice: " + key);
        }
      } else if (IGNORED.contains(key) && !known.contains("mappings")) {
        ignored.add(prefix + key);
      } else {
        problem(tuple.getKeyNode(), "no such key: " + key);
      }
    }
    return entries;
  }

  /** Lines are counted from 0 by the parser and from 1 by people. */
  private void problem(@Nullable Node node, String message) {
    int line = node == null || node.getStartMark() == null ? 0 : node.getStartMark().getLine();
    problems.add(source + ", line " + (line + 1) + ": " + message);
  }
}
