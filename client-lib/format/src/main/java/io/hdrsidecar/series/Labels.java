package io.hdrsidecar.series;

import io.hdrsidecar.internal.text.UserText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * The labels of a series: names and values, sorted by name. Immutable.
 *
 * <p>A label with an empty value is the same as no label, as in Prometheus, and is left out.
 */
public final class Labels {
  /** Most labels a series can have. */
  public static final int MAX_LABELS = 32;

  /** Longest name or value, in characters. */
  public static final int MAX_LENGTH = 1024;

  /** Names that Prometheus or our own exposition sets, so that a client cannot. */
  private static final Set<String> RESERVED = Set.of("le", "quantile", "window", "job", "instance");

  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Labels EMPTY = new Labels(new TreeMap<>());

  private final Map<String, String> byName;
  private final int hash;

  private Labels(SortedMap<String, String> byName) {
    this.byName = Collections.unmodifiableSortedMap(byName);
    this.hash = byName.hashCode();
  }

  /** Whether this name is set by Prometheus or by our exposition, so that a client cannot. */
  public static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  /** No labels. */
  public static Labels empty() {
    return EMPTY;
  }

  /**
   * Labels from alternating names and values: {@code Labels.of("route", "/pay", "method", "POST")}.
   *
   * @throws IllegalArgumentException for an odd number of strings, a name used twice, a name
   *     Prometheus refuses ({@code [a-zA-Z_][a-zA-Z0-9_]*}, not starting with {@code __}), a
   *     reserved name (le, quantile, window, job, instance), more than {@value #MAX_LABELS} labels,
   *     more than {@value #MAX_LENGTH} characters, or half a surrogate pair in a value
   */
  public static Labels of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "labels must be pairs of name and value, but a value is missing after: "
              + namesAndValues[namesAndValues.length - 1]);
    }
    List<Map.Entry<String, String>> pairs = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      pairs.add(Map.entry(namesAndValues[i], namesAndValues[i + 1]));
    }
    return of(pairs);
  }

  /**
   * Labels from a map.
   *
   * @throws IllegalArgumentException as {@link #of(String...)}
   */
  public static Labels of(Map<String, String> labels) {
    return of(List.copyOf(labels.entrySet()));
  }

  private static Labels of(List<Map.Entry<String, String>> pairs) {
    TreeMap<String, String> byName = new TreeMap<>();
    for (Map.Entry<String, String> pair : pairs) {
      checkName(pair.getKey());
      checkValue(pair.getKey(), pair.getValue());
      if (byName.put(pair.getKey(), pair.getValue()) != null) {
        throw new IllegalArgumentException("label name used twice: " + pair.getKey());
      }
    }
    byName.values().removeIf(String::isEmpty);
    if (byName.size() > MAX_LABELS) {
      throw new IllegalArgumentException(
          "at most " + MAX_LABELS + " labels, but there are " + byName.size());
    }
    return byName.isEmpty() ? EMPTY : new Labels(byName);
  }

  private static void checkName(String name) {
    if (name.length() > MAX_LENGTH || name.startsWith("__") || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "label name must match [a-zA-Z_][a-zA-Z0-9_]*, not start with __, and have at most "
              + MAX_LENGTH
              + " characters: "
              + UserText.abbreviated(name));
    }
    if (RESERVED.contains(name)) {
      throw new IllegalArgumentException(
          "label name is reserved for Prometheus or the exposition, choose another: " + name);
    }
  }

  private static void checkValue(String name, String value) {
    if (value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "value of label "
              + name
              + " must have at most "
              + MAX_LENGTH
              + " characters: "
              + UserText.abbreviated(value));
    }
    if (!UserText.isUnicode(value)) {
      throw new IllegalArgumentException(
          "value of label " + name + " is not Unicode text: it has half a surrogate pair");
    }
  }

  /**
   * These labels and one more, or with another value for it.
   *
   * @throws IllegalArgumentException as {@link #of(String...)}
   */
  public Labels with(String name, String value) {
    TreeMap<String, String> all = new TreeMap<>(byName);
    all.put(name, value);
    return of(all);
  }

  /**
   * These labels and those.
   *
   * @throws IllegalArgumentException when both set a name to different values
   */
  public Labels and(Labels others) {
    if (others.isEmpty()) {
      return this;
    }
    TreeMap<String, String> all = new TreeMap<>(byName);
    others.forEach(
        (name, value) -> {
          String had = all.put(name, value);
          if (had != null && !had.equals(value)) {
            throw new IllegalArgumentException(
                "label " + name + " is set twice: to " + had + " and to " + value);
          }
        });
    return of(all);
  }

  /** Value of a label, or an empty string when it is not set. */
  public String get(String name) {
    return byName.getOrDefault(name, "");
  }

  /** Number of labels. */
  public int size() {
    return byName.size();
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Visits all labels in the order of their names. */
  public void forEach(BiConsumer<String, String> visitor) {
    byName.forEach(visitor);
  }

  /** The labels as an unmodifiable map, sorted by name. */
  public Map<String, String> asMap() {
    return byName;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Labels that && hash == that.hash && byName.equals(that.byName);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** As in PromQL: {@code {method="POST",route="/pay"}}, empty without labels. */
  @Override
  public String toString() {
    if (byName.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("{");
    byName.forEach(
        (name, value) ->
            text.append(text.length() > 1 ? "," : "")
                .append(name)
                .append("=\"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                .append('"'));
    return text.append('}').toString();
  }
}
