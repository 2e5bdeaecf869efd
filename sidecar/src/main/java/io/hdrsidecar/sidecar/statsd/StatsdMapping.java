package io.hdrsidecar.sidecar.statsd;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a mapping file, in the order in which they are tried: globs before regular
 * expressions, each in the order of the file, as statsd_exporter has it. Immutable; any thread.
 *
 * @param globs tried first
 * @param patterns tried when no glob matches
 * @param ignored what the file says and means nothing here, one line each
 */
record StatsdMapping(List<MappingRule> globs, List<MappingRule> patterns, List<String> ignored) {
  /** Without a file: every name is its own. */
  static final StatsdMapping NONE = new StatsdMapping(List.of(), List.of(), List.of());

  /** Takes copies. */
  StatsdMapping {
    globs = List.copyOf(globs);
    patterns = List.copyOf(patterns);
    ignored = List.copyOf(ignored);
  }

  /**
   * The same rules in order.
   *
   * @param rules as they stand in the file
   * @param mostSpecificFirst whether a glob with a text comes before one with a star in its place,
   *     wherever they stand
   */
  static StatsdMapping of(
      List<MappingRule> rules, boolean mostSpecificFirst, List<String> ignored) {
    List<MappingRule> globs =
        new ArrayList<>(rules.stream().filter(rule -> rule.pattern() == null).toList());
    if (mostSpecificFirst) {
      globs.sort(MappingRule::compareGlobs);
    }
    return new StatsdMapping(
        globs, rules.stream().filter(rule -> rule.pattern() != null).toList(), ignored);
  }

  /** What the first rule that is about a name makes of it; null when there is none. */
  MappingRule.@Nullable Mapped map(String statsdName, char kind) {
    MappingRule.Mapped mapped = first(globs, statsdName, kind);
    return mapped != null ? mapped : first(patterns, statsdName, kind);
  }

  private static MappingRule.@Nullable Mapped first(
      List<MappingRule> rules, String statsdName, char kind) {
    for (MappingRule rule : rules) {
      MappingRule.Mapped mapped = rule.map(statsdName, kind);
      if (mapped != null) {
        return mapped;
      }
    }
    return null;
  }
}
