package io.hdrsidecar.sidecar.config;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** In which line of the file each key stands, so that a problem can say it. */
final class FileLines {
  /** Of no file. */
  static final FileLines NONE = new FileLines(null);

  private final @Nullable Path file;
  private final Map<String, Integer> lines = new HashMap<>();

  private FileLines(@Nullable Path file) {
    this.file = file;
  }

  /** The lines of a file; throws a RuntimeException when its text is not YAML. */
  static FileLines of(Path file, String text) {
    FileLines found = new FileLines(file);
    Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
    if (root != null) {
      found.note("", root);
    }
    return found;
  }

  /** Keys in levels and keys with dots mean the same; an alias can make levels without end. */
  private void note(String prefix, Node node) {
    if (node instanceof MappingNode mapping && prefix.length() < Byte.MAX_VALUE) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key) {
          String name = prefix + key.getValue();
          lines.putIfAbsent(name, key.getStartMark().getLine() + 1);
          note(name + ".", tuple.getValueNode());
        }
      }
    }
  }

  /** File and line of a key, for people. */
  String describe(String key) {
    Integer line = lines.get(key);
    return "file " + file + (line == null ? "" : ", line " + line);
  }
}
