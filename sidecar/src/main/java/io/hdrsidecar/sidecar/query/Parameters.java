package io.hdrsidecar.sidecar.query;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The parameters of a request: each at most once, none unknown. */
public final class Parameters {
  private final Map<String, String> byName = new HashMap<>();

  /**
   * Takes names and values in the order they came.
   *
   * @throws QueryException when a name comes twice
   */
  public Parameters(Collection<Map.Entry<String, String>> entries) throws QueryException {
    for (Map.Entry<String, String> entry : entries) {
      if (byName.put(entry.getKey(), entry.getValue()) != null) {
        throw QueryException.badParameter(entry.getKey(), "given more than once");
      }
    }
  }

  /**
   * Refuses what this request does not know: a mistyped parameter must not be silently ignored.
   *
   * @param prefix names that start so are known too
   * @throws QueryException naming the parameter and the known ones
   */
  public void requireOnly(List<String> known, String prefix) throws QueryException {
    for (String name : new TreeSet<>(byName.keySet())) {
      boolean prefixed = !prefix.isEmpty() && name.startsWith(prefix);
      if (!prefixed && !known.contains(name)) {
        throw QueryException.badParameter(
            name, "not a known parameter; known: " + String.join(", ", known));
      }
    }
  }

  /** The value, or the default when it was not given. */
  public String get(String name, String otherwise) {
    return byName.getOrDefault(name, otherwise);
  }

  /** The value, if it was given. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * The value.
   *
   * @throws QueryException when it was not given, or is empty
   */
  public String require(String name) throws QueryException {
    String value = get(name, "");
    if (value.isEmpty()) {
      throw QueryException.badParameter(name, "required, but missing");
    }
    return value;
  }

  /**
   * A whole number, or the default when it was not given.
   *
   * @param max at most 999,999,999
   * @throws QueryException when it is none, or not from {@code min} to {@code max}
   */
  public int wholeNumber(String name, int otherwise, int min, int max) throws QueryException {
    String text = byName.get(name);
    if (text == null) {
      return otherwise;
    }
    int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    if (number < min || number > max) {
      throw QueryException.badParameter(
          name, "must be a whole number from " + min + " to " + max + ": " + text);
    }
    return number;
  }

  /** All that start so, without the prefix. */
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new HashMap<>();
    byName.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }
}
