package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.input.CauseText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.input.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads rules from YAML:
 *
 * <pre>
 * slas:
 *   - name: checkout
 *     selector: checkout{route="/pay"}
 *     windows: [1m]          # names of sliding windows; all of them when left out
 *     limits:
 *       50%: 20ms
 *       99.9%: 500ms
 *       100%: 2s             # required: what must never be exceeded, or none
 *     objective: 99.9%       # optional: the row whose error budget alerts are about
 * </pre>
 *
 * <p>Every problem is found in one pass and named with its line, so the nodes of the YAML are read
 * and not objects made from them. Nothing but text, lists and mappings is understood; tags make no
 * objects.
 */
public final class SlaFile {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_RULES = 1000;
  private static final String EXAMPLE = "example.yaml";

  /** The row that must not be forgotten, and how to say that there is none. */
  private static final String MAXIMUM = "100%";

  private static final String NONE = "none";

  private final String source;
  private final @Nullable List<String> knownWindows;
  private final List<String> problems = new ArrayList<>();
  private final List<SlaRule> rules = new ArrayList<>();
  private final Map<String, Integer> linesByName = new HashMap<>();

  private SlaFile(String source, @Nullable List<String> knownWindows) {
    this.source = source;
    this.knownWindows = knownWindows;
  }

  /**
   * The rules of a file; a file without any gives none.
   *
   * @param knownWindows names of the windows there are; null when they are not known, and then not
   *     compared
   * @throws SlaFileException with every problem, also when the file cannot be read
   */
  public static List<SlaRule> read(Path file, @Nullable List<String> knownWindows)
      throws SlaFileException {
    try {
      return parse(WholeFile.text(file, MAX_BYTES), file.toString(), knownWindows);
    } catch (IOException e) {
      throw new SlaFileException(List.of(CauseText.of(e)));
    }
  }

  /**
   * The rules of a text.
   *
   * @param source name of the text in problems
   * @throws SlaFileException with every problem
   */
  static List<SlaRule> parse(String text, String source, @Nullable List<String> knownWindows)
      throws SlaFileException {
    SlaFile file = new SlaFile(source, knownWindows);
    file.read(text);
    if (!file.problems.isEmpty()) {
      throw new SlaFileException(file.problems);
    }
    return List.copyOf(file.rules);
  }

  /** The example that every talk about latency uses, for the series of the demo. */
  public static List<SlaRule> example() {
    try (InputStream in = SlaFile.class.getResourceAsStream(EXAMPLE)) {
      byte[] text = Objects.requireNonNull(in, EXAMPLE).readAllBytes();
      return parse(new String(text, StandardCharsets.UTF_8), EXAMPLE, null);
    } catch (IOException | SlaFileException e) {
      throw new IllegalStateException("the example in the jar cannot be read", e);
    }
  }

  private void read(String text) {
    try {
      Node root = YamlText.nodes(text);
      if (root != null) {
        readRoot(root);
      }
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine();
      problem(line, "not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      problem(0, "not YAML: " + e.getMessage());
    }
  }

  private void readRoot(Node root) {
    Map<String, NodeTuple> entries = entries(root, "the file", List.of("slas"));
    NodeTuple slas = entries.get("slas");
    if (slas == null) {
      return;
    }
    List<Node> nodes = list(slas.getValueNode(), "slas");
    if (nodes.size() > MAX_RULES) {
      problem(line(slas.getValueNode()), "at most " + MAX_RULES + " rules: " + nodes.size());
      return;
    }
    nodes.forEach(this::readRule);
  }

  private void readRule(Node node) {
    int before = problems.size();
    Map<String, NodeTuple> entries =
        entries(node, "a rule", List.of("name", "selector", "windows", "limits", "objective"));
    String name = scalar(node, entries, "name");
    String selector = scalar(node, entries, "selector");
    if (!name.isEmpty()) {
      check(entries, "name", () -> SlaRule.requireName(name));
      requireNew(name, lineOf(entries, "name"));
    }
    if (!selector.isEmpty()) {
      check(entries, "selector", () -> SlaRule.requireSelector(selector));
    }
    List<String> windows = windows(entries.get("windows"));
    List<SlaLimit> limits = limits(node, entries.get("limits"));
    String objective = entries.containsKey("objective") ? scalar(node, entries, "objective") : "";
    if (problems.size() == before) {
      check(
          entries,
          "objective",
          () -> rules.add(new SlaRule(name, selector, windows, limits, percentile(objective))));
    }
  }

  private static @Nullable BigDecimal percentile(String text) {
    return text.isEmpty() ? null : SlaLimit.percentile(text);
  }

  private void requireNew(String name, int line) {
    Integer first = linesByName.putIfAbsent(name, line);
    if (first != null) {
      problem(line, "name is used twice: " + name + ", first in line " + (first + 1));
    }
  }

  private List<String> windows(@Nullable NodeTuple entry) {
    if (entry == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    Node value = entry.getValueNode();
    List<Node> nodes = value instanceof ScalarNode ? List.of(value) : list(value, "windows");
    for (Node node : nodes) {
      String name = node instanceof ScalarNode scalar ? scalar.getValue() : "";
      if (knownWindows != null && !knownWindows.contains(name)) {
        problem(
            line(node),
            "not a known window: " + name + "; known: " + String.join(", ", knownWindows));
      } else if (names.contains(name)) {
        problem(line(node), "window is named twice: " + name);
      }
      names.add(name);
    }
    if (nodes.isEmpty()) {
      problem(line(value), "windows must name at least one window");
    }
    return names;
  }

  private List<SlaLimit> limits(Node rule, @Nullable NodeTuple entry) {
    List<SlaLimit> limits = new ArrayList<>();
    if (entry == null) {
      problem(line(rule), "limits are missing");
      return limits;
    }
    int before = problems.size();
    Map<String, NodeTuple> rows = entries(entry.getValueNode(), "limits", null);
    boolean isWithoutMaximum =
        rows.entrySet().removeIf(row -> isMaximum(row.getKey()) && isNone(row.getValue()));
    rows.forEach((percentile, row) -> addLimit(percentile, row, limits));
    if (problems.size() == before) {
      requireRows(line(entry.getKeyNode()), limits, isWithoutMaximum);
    }
    return limits;
  }

  /** Also when it is written otherwise, such as {@code 100 %} or {@code 100.0%}. */
  private static boolean isMaximum(String percentile) {
    try {
      return SlaLimit.percentile(percentile).compareTo(SlaLimit.MAXIMUM) == 0;
    } catch (IllegalArgumentException e) {
      return false; // Said when the row is read.
    }
  }

  private static boolean isNone(NodeTuple row) {
    return row.getValueNode() instanceof ScalarNode value
        && value.getValue().strip().equalsIgnoreCase(NONE);
  }

  private void addLimit(String percentile, NodeTuple row, List<SlaLimit> limits) {
    int line = line(row.getKeyNode());
    if (!(row.getValueNode() instanceof ScalarNode value)) {
      problem(line, percentile + ": must be a limit such as 20ms");
      return;
    }
    if (isNone(row)) {
      problem(line, percentile + ": only " + MAXIMUM + " may be " + NONE);
      return;
    }
    try {
      SlaLimit limit = SlaLimit.parse(percentile, value.getValue());
      if (!limits.isEmpty()) {
        SlaRule.requireOrder(limits.get(limits.size() - 1), limit);
      }
      limits.add(limit);
    } catch (IllegalArgumentException e) {
      problem(line, String.valueOf(e.getMessage()));
    }
  }

  private void requireRows(int line, List<SlaLimit> limits, boolean isWithoutMaximum) {
    if (limits.size() > SlaRule.MAX_LIMITS) {
      problem(line, "limits must have at most " + SlaRule.MAX_LIMITS + " rows");
    }
    if (isWithoutMaximum && limits.isEmpty()) {
      problem(line, "limits must have a row besides 100%: none");
    }
    boolean hasMaximum =
        limits.stream().anyMatch(limit -> limit.percentile().compareTo(SlaLimit.MAXIMUM) == 0);
    if (hasMaximum && isWithoutMaximum) {
      problem(line, "given twice: " + MAXIMUM);
    }
    if (!hasMaximum && !isWithoutMaximum) {
      problem(
          line,
          "limits must have a row 100%, which says what must never be exceeded; where nothing says"
              + " so, 100%: none");
    }
  }

  /**
   * The entries of a mapping in their order.
   *
   * @param known names there may be; null for any
   */
  private Map<String, NodeTuple> entries(Node node, String what, @Nullable List<String> known) {
    Map<String, NodeTuple> entries = new LinkedHashMap<>();
    if (!(node instanceof MappingNode mapping)) {
      problem(line(node), what + " must be a mapping of names to values");
      return entries;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      int line = line(tuple.getKeyNode());
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
      if (known != null && !known.contains(key)) {
        problem(line, "no such key: " + key + "; known: " + String.join(", ", known));
      } else if (entries.putIfAbsent(key, tuple) != null) {
        problem(line, "given twice: " + key);
      }
    }
    return entries;
  }

  private List<Node> list(Node node, String what) {
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    problem(line(node), what + " must be a list");
    return List.of();
  }

  /** The text of an entry; empty when there is none, which is a problem. */
  private String scalar(Node rule, Map<String, NodeTuple> entries, String key) {
    NodeTuple entry = entries.get(key);
    if (entry == null) {
      problem(line(rule), key + " is missing");
      return "";
    }
    if (entry.getValueNode() instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
      return scalar.getValue();
    }
    problem(line(entry.getKeyNode()), key + " must be a text");
    return "";
  }

  private void check(Map<String, NodeTuple> entries, String key, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      problem(lineOf(entries, key), String.valueOf(e.getMessage()));
    }
  }

  private static int lineOf(Map<String, NodeTuple> entries, String key) {
    NodeTuple entry = entries.get(key);
    return entry == null ? 0 : line(entry.getKeyNode());
  }

  private static int line(Node node) {
    return node.getStartMark() == null ? 0 : node.getStartMark().getLine();
  }

  /** Lines are counted from 0 by the parser and from 1 by people. */
  private void problem(int line, String message) {
    problems.add(source + ", line " + (line + 1) + ": " + message);
  }
}
