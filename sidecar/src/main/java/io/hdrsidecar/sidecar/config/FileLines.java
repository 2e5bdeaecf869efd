package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.input.YamlText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * In which line of the file each key stands, so that a problem can say it; and whether the file is
 * a mapping of settings to values at all. Keys in levels and keys with dots mean the same.
 */
final class FileLines {
  /** Of no file. */
  static final FileLines NONE = new FileLines(null, List.of());

  private static final String EXAMPLE = "a mapping of settings to values, such as http.port: 9925";

  /** Settings have two levels; an alias can make levels without end. */
  private static final int MAX_LEVELS = 4;

  private final @Nullable Path file;
  private final List<String> problems;
  private final Map<String, Integer> lines = new HashMap<>();
  private @Nullable Object texts;

  private FileLines(@Nullable Path file, List<String> problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The lines of a file; what is wrong with its form is added to the problems. */
  static FileLines of(Path file, String text, List<String> problems) {
    FileLines found = new FileLines(file, problems);
    try {
      Node root = YamlText.nodes(text);
      if (root != null) {
        found.noteRoot(root);
      }
      found.texts = YamlText.texts(text);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine();
      found.problem(line, "is not YAML: " + e.getProblem());
    } catch (YAMLException e) {
      found.problem(0, "is not YAML: " + oneLine(String.valueOf(e.getMessage())));
    }
    return found;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private void noteRoot(Node root) {
    if (root instanceof MappingNode mapping) {
      note("", mapping, 1);
    } else {
      problem(line(root), "must be " + EXAMPLE + "; is " + kind(root));
    }
  }

  private static String kind(Node node) {
    return node instanceof ScalarNode scalar
        ? "the text " + scalar.getValue().lines().findFirst().orElse("")
        : "a list";
  }

  private void note(String prefix, MappingNode mapping, int level) {
    if (level > MAX_LEVELS) {
      problem(line(mapping), "has too many levels: " + prefix);
      return;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        note(prefix + key.getValue(), line(key), tuple.getValueNode(), level);
      } else {
        problem(line(tuple.getKeyNode()), "must be " + EXAMPLE);
      }
    }
  }

  private void note(String name, int line, Node value, int level) {
    boolean isSection = value instanceof MappingNode;
    Integer first = isSection ? null : lines.putIfAbsent(name, line);
    if (first != null) {
      problem(line, name + " is given twice, first in line " + (first + 1));
    } else if (value instanceof MappingNode inner) {
      noteSection(name, line);
      note(name + ".", inner, level + 1);
    } else if (value instanceof SequenceNode list) {
      requireTexts(name, list);
    } else if (value.getTag().equals(Tag.NULL) && isSetting(name)) {
      problem(line, name + " has no value");
    }
  }

  /** YAML itself allows no key twice, and parsers silently take the last. */
  private void noteSection(String name, int line) {
    Integer first = lines.putIfAbsent(name + ".", line);
    if (first != null) {
      problem(line, name + " is given twice, first in line " + (first + 1));
    } else {
      lines.putIfAbsent(name, line);
    }
  }

  private void requireTexts(String name, SequenceNode list) {
    for (Node item : list.getValue()) {
      if (!(item instanceof ScalarNode)) {
        problem(line(item), name + " must be a list of texts or numbers");
      }
    }
  }

  private static boolean isSetting(String name) {
    return Settings.all().stream().anyMatch(setting -> setting.key().equals(name));
  }

  private static int line(Node node) {
    return node.getStartMark() == null ? 0 : node.getStartMark().getLine();
  }

  /** Lines are counted from 0 by the parser and from 1 by people. */
  private void problem(int line, String message) {
    problems.add("file " + file + ", line " + (line + 1) + ": " + message);
  }

  /** All it has, as maps, lists and texts; only when there were no problems. */
  @Nullable Object texts() {
    return texts;
  }

  /** File and line of a key, for people. */
  String describe(String key) {
    Integer line = lines.get(key);
    return "file " + file + (line == null ? "" : ", line " + (line + 1));
  }
}
